import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';
import { CONTAINERS, type ContainerName } from './containers.ts';

/** The input from `startContainer`, as JSON in the first argument. */
export interface ContainerRequest {
  name: ContainerName;
  /** The address is written to this file once the container is ready. Its folder is removed at the end. */
  addressFile: string;
  /** A label by which this process finds its container. */
  id: string;
}

const LABEL = 'no.proveklar.test-run';
const CREATE_TIMEOUT_MS = 5_000;

// Runs one container as long as this process lives. The process ends with the test run, however that
// ended (`local/exit-with-parent.ts`), and removes the container, so no reaper is needed.
const input = JSON.parse(process.argv[2] ?? '') as ContainerRequest;
let ready = false;
let ending: Promise<void> | undefined;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending ??= end();
  });
}

const starting = CONTAINERS[input.name]({ [LABEL]: input.id });
// Keeps the process alive while the container runs.
const keepAlive = setInterval(() => {}, 60_000);
try {
  const url = await starting;
  ready = true;
  // Written under another name first: a reader must not see half an address.
  writeFileSync(`${input.addressFile}.new`, url);
  renameSync(`${input.addressFile}.new`, input.addressFile);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  ending ??= end();
}

async function end(): Promise<void> {
  // A container that is being created cannot be found by its label yet. The timeout is shorter than the
  // download of an image.
  const timeout = new Promise((resolve) => setTimeout(resolve, CREATE_TIMEOUT_MS).unref());
  await Promise.race([starting.catch(() => {}), timeout]);
  const client = await getContainerRuntimeClient().catch(() => undefined);
  const container = await client?.container.fetchByLabel(LABEL, input.id, {
    status: ['created', 'running', 'exited'],
  });
  // By force: nothing in it is kept.
  await container?.remove({ force: true, v: true }).catch(() => {});
  // A run that was interrupted does not remove its folder. If no container became ready, the embedded
  // servers use the folder, and remove it.
  if (ready) rmSync(dirname(input.addressFile), { recursive: true, force: true });
  clearInterval(keepAlive);
  process.exit();
}
