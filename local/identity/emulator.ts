import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, startNode, type Child } from '#processes.ts';

export interface EmulatorOptions {
  host: string;
  port: number;
  projectId: string;
  logFile: string;
  /** Users are kept here; without it they live as long as the emulator. */
  dataDir?: string;
}

export interface Emulator {
  url: string;
  child: Child;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** Starts Firebase's own Auth emulator in a process of its own, and waits until it answers. */
export async function startIdentityEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { logFile, ...order } = options;
  const script = [MAIN, JSON.stringify(order)];
  const child = startNode({ name: 'identity', script, env: EMULATOR_ENV, logFile });
  const url = `http://${options.host}:${options.port}`;
  let ended = false;
  void child.ended.then(() => (ended = true));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(url, options.projectId))) {
    if (ended || Date.now() > deadline) {
      throw new Error(`The identity emulator did not start:\n${lastLines(logFile)}`);
    }
    await sleep(50);
  }
  return { url, child };
}

// It needs nothing of the shell's, least of all the addresses and keys of a real project.
const EMULATOR_ENV = { NODE_ENV: 'production' };

/** It is ready when its last step has been taken: the project's settings are in place. */
async function isReady(url: string, projectId: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/emulator/v1/projects/${projectId}/config`);
    const config = (await response.json()) as Record<string, Record<string, unknown> | undefined>;
    return config.emailPrivacyConfig?.enableImprovedEmailPrivacy === true;
  } catch {
    return false;
  }
}
