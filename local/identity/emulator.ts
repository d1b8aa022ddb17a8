import { fileURLToPath } from 'node:url';
import { startNode, type Child } from '#processes.ts';
import { untilReady } from '#until-ready.ts';

export interface EmulatorOptions {
  host: string;
  port: number;
  projectId: string;
  /** Users are kept here; without it they live as long as the emulator. */
  dataDir?: string;
  logFile: string;
  signal?: AbortSignal;
}

export interface Emulator {
  url: string;
  child: Child;
  /** Resolves when it answers. */
  ready: Promise<void>;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
// It needs nothing of the shell's, least of all the addresses and keys of a real project.
const ENVIRONMENT = { NODE_ENV: 'development' };

/** Starts Firebase's own Auth emulator in a process of its own. */
export function startIdentityEmulator(options: EmulatorOptions): Emulator {
  const { logFile, signal, ...order } = options;
  const script = [MAIN, JSON.stringify(order)];
  const child = startNode({ name: 'identity', script, env: ENVIRONMENT, logFile });
  const url = `http://${options.host}:${options.port}`;
  const isReady = () => isConfigured(url, options.projectId);
  return { url, child, ready: untilReady({ child, isReady, logFile, signal }) };
}

/** The project's settings are the last thing that it is given (`main.ts`). */
async function isConfigured(url: string, projectId: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/emulator/v1/projects/${projectId}/config`);
    const config = (await response.json()) as Record<string, Record<string, unknown> | undefined>;
    return config.emailPrivacyConfig?.enableImprovedEmailPrivacy === true;
  } catch {
    return false;
  }
}
