import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import { untilReady } from '@proveklar/local/until-ready.ts';
import type { ContainerName } from './containers.ts';
import type { ContainerRequest } from './run-container.ts';

const MAIN = fileURLToPath(new URL('./run-container.ts', import.meta.url));
// Long enough to download the image over a usual connection.
const START_TIMEOUT_MS = 60_000;

export interface StartedContainer {
  url: string;
  /** The process that removes the container when it ends. */
  child: Child;
}

/**
 * Starts a container of the test run. testcontainers is loaded in the container's own process, so a
 * run that needs none does not pay for it.
 *
 * @param folder where its log and its address are written
 * @throws Error with the end of its log when it is not ready in time; it is removed then
 */
export async function startContainer(
  name: ContainerName,
  folder: string,
  env: Record<string, string | undefined>,
): Promise<StartedContainer> {
  const addressFile = join(folder, `${name}-container.url`);
  const logFile = join(folder, `${name}-container.log`);
  const request: ContainerRequest = { name, addressFile, id: randomUUID() };
  const script = [MAIN, JSON.stringify(request)];
  // The container's process removes it, so testcontainers' reaper, which is one more image, is not needed.
  const own = { TESTCONTAINERS_RYUK_DISABLED: 'true', ...env };
  const child = startNode({ name: `${name} container`, script, env: own, logFile });
  try {
    const isReady = async () => existsSync(addressFile);
    await untilReady({ child, isReady, logFile, timeoutMs: START_TIMEOUT_MS });
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { url: readFileSync(addressFile, 'utf8'), child };
}
