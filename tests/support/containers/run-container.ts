import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';
import { CONTAINERS, type ContainerName } from './containers.ts';

/** What `startContainer` hands over, as JSON in the first argument. */
export interface ContainerOrder {
  name: ContainerName;
  /** A file that gets the address once the container is ready. Its folder is removed at the end. */
  addressFile: string;
  /** Marks the container as that of this process. */
  id: string;
}

const LABEL = 'no.proveklar.test-run';
const CREATING_MS = 5_000;

// Runs one container as long as this process. It ends with the test run, however that ended
// (`local/with-parent.ts`), and takes the container with it, also where there is no reaper.
const order = JSON.parse(process.argv[2] ?? '') as ContainerOrder;
let ready = false;
let ending: Promise<void> | undefined;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending ??= end();
  });
}

const starting = CONTAINERS[order.name]({ [LABEL]: order.id });
// Waits for nothing; without it, the process would end once the container runs.
const alive = setInterval(() => {}, 60_000);
try {
  const url = await starting;
  ready = true;
  // Renamed, so that nobody reads half an address.
  writeFileSync(`${order.addressFile}.new`, url);
  renameSync(`${order.addressFile}.new`, order.addressFile);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  ending ??= end();
}

async function end(): Promise<void> {
  // One that is being created has no label to be found by yet. An image on its way is not waited for.
  const late = new Promise((resolve) => setTimeout(resolve, CREATING_MS).unref());
  await Promise.race([starting.catch(() => {}), late]);
  const client = await getContainerRuntimeClient().catch(() => undefined);
  const container = await client?.container.fetchByLabel(LABEL, order.id, {
    status: ['created', 'running', 'exited'],
  });
  // Killed at once: nothing in it is kept.
  await container?.remove({ force: true, v: true }).catch(() => {});
  // A run that was interrupted does not come to it. Without a container, embedded servers need it.
  if (ready) rmSync(dirname(order.addressFile), { recursive: true, force: true });
  clearInterval(alive);
  process.exit();
}
