import { once } from 'node:events';
import { basename, join, relative } from 'node:path';
import { watch } from 'chokidar';
import { PROJECT_DIR } from '#settings.ts';

/** The sources of each process. Vite handles changes of the frontend. */
const SOURCES = {
  gateway: ['gateway', 'operators', 'services', 'contract'],
  workers: ['workers', 'operators', 'services', 'contract'],
} as const;
type Name = keyof typeof SOURCES;

/**
 * Restarts the gateway and the workers when their sources change.
 *
 * @returns stops the watching
 */
export async function restartServices(
  services: Record<Name, { restart: () => Promise<void> }>,
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  const watch = (name: Name) => {
    const folders = SOURCES[name].map((folder) => join(PROJECT_DIR, folder));
    return restartOnChange(folders, async (paths) => {
      const files = paths.map((path) => relative(PROJECT_DIR, path));
      say(`${name} restarts: ${files.join(', ')}`);
      await services[name].restart();
    });
  };
  const ends = await Promise.all([watch('gateway'), watch('workers')]);
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

// An editor writes a file in several steps, and a formatter runs after the editor.
const DEBOUNCE_MS = 50;

/**
 * Calls `restart` with the paths, debounced, when sources below the folders are changed, added or removed.
 * Changes during a call cause one more call.
 *
 * @returns stops the watching; no call begins afterwards
 */
export async function restartOnChange(
  folders: string[],
  restart: (paths: string[]) => Promise<void>,
): Promise<() => Promise<void>> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let working = false;
  const work = async () => {
    if (working) return;
    working = true;
    while (changed.size > 0) {
      const paths = [...changed];
      changed.clear();
      await restart(paths);
    }
    working = false;
  };
  const watcher = watch(folders, { ignored: isNoSource, ignoreInitial: true });
  watcher.on('all', (event, path) => {
    if (event.endsWith('Dir')) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => void work(), DEBOUNCE_MS);
  });
  await once(watcher, 'ready');
  return async () => {
    await watcher.close();
    clearTimeout(timer);
    changed.clear();
  };
}

function isNoSource(path: string, stats?: { isFile: () => boolean }): boolean {
  if (basename(path) === 'node_modules') return true;
  return stats?.isFile() === true && !/(?<!\.test)\.(ts|json)$/.test(path);
}
