export function isInstalled(root: string): boolean;
export function install(root: string): Promise<void>;
export function markInstalled(root: string): void;
