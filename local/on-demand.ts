import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isInstalled, markInstalled, npmInstall } from '#bootstrap/install.mjs';
import { PROJECT_DIR } from '#settings.ts';

/** Packages that only some runs need, in a folder with a manifest and a lockfile of its own. */
export interface OnDemand {
  /** What it is called where it is loaded: "Chromium". */
  name: string;
  /** From the project's root. */
  folder: string;
  /** How much it is on the disk, as `du -sm` said. */
  megabytes: number;
}

const SHOW_PROGRESS_MS = 3_000;

/**
 * Installs the packages where they are not there yet, as their lockfile says.
 *
 * @param say hears the size, the progress and the end, a line each; nothing when all is there
 * @returns what resolves a name to a file of the packages
 * @throws Error when they cannot be had; npm has said why on stderr
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
  }, SHOW_PROGRESS_MS);
  const code = await npmInstall(place, ['--ignore-scripts']);
  clearInterval(timer);
  if (code !== 0) throw new Error(`${name} could not be loaded: npm install in ${folder}`);
  markInstalled(place);
  say(`Loaded ${name}.`);
  return resolve;
}

/** @returns 0 for a folder that is not there yet; a file that vanishes meanwhile is not counted */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async ({ parentPath, name }) => {
    const found = await stat(join(parentPath, name)).catch(() => undefined);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
