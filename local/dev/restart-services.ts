import { join, relative } from 'node:path';
import { PROJECT_DIR } from '#settings.ts';
import { restartOnChange } from './restart-on-change.ts';

/** What each process runs. A change of the frontend is Vite's own business. */
const SOURCES = {
  gateway: ['gateway', 'operators', 'services', 'contract'],
  workers: ['workers', 'operators', 'services', 'contract'],
} as const;
type Name = keyof typeof SOURCES;

/**
 * Restarts the gateway and the workers when their sources change.
 *
 * @returns what ends it
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
