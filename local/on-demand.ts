import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isInstalled, markInstalled, npmInstall } from '#bootstrap/install.mjs';
import { PROJECT_DIR } from '#settings.ts';

/** Packages that only some runs need, in a folder with its own manifest and lockfile. */
export interface OnDemand {
  /** The name to print: "Chromium". */
  name: string;
  /** Relative to the project's root. */
  folder: string;
  /** The size on disk, measured with `du -sm`. */
  megabytes: number;
}

const PROGRESS_INTERVAL_MS = 3_000;

/**
 * Installs the packages from their lockfile, unless they are installed.
 *
 * @param say prints the size, the progress and the end; not called when the packages are installed
 * @returns resolves a module name to a file of the packages
 * @throws Error when the install fails; npm has printed the reason on stderr
 */
export async function loadOnDemand(
  { name, folder, megabytes }: OnDemand,
  say: (line: string) => void,
): Promise<(specifier: string) => string> {
  const place = join(PROJECT_DIR, folder);
  const { resolve } = createRequire(join(place, 'package.json'));
  if (isInstalled(place)) return resolve;
  say(`Loading ${name}, once (${megabytes} MB, into ${folder}/node_modules) …`);
  const modules = join(place, 'node_modules');
  const timer = setInterval(() => {
    void bytesIn(modules).then((bytes) =>
      say(`  ${name}: ${Math.round(bytes / 1e6)} of ${megabytes} MB`),
    );
  }, PROGRESS_INTERVAL_MS);
  const code = await npmInstall(place);
  clearInterval(timer);
  if (code !== 0) throw new Error(`${name} could not be loaded: npm install in ${folder}`);
  markInstalled(place);
  say(`Loaded ${name}.`);
  return resolve;
}

/** @returns 0 for a folder that does not exist yet; does not count a file that is deleted meanwhile */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => {
    const stats = await stat(join(parentPath, name)).catch(() => undefined);
    return stats?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
