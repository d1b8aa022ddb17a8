/** What the product needs, or that and the devDependencies. */
export type InstallLevel = 'run' | 'all';

export function isInstalled(root: string, level?: InstallLevel): boolean;
export function install(root: string, requestedLevel?: InstallLevel): Promise<void>;
export function markInstalled(root: string, level?: InstallLevel): void;
export function npmInstall(folder: string, options?: readonly string[]): Promise<number>;
