// Plain JavaScript for the same reason as ../bootstrap.mjs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// `npm ci` would refuse where the lockfile lacks another platform's optional packages, and without
// `--no-save` an install may rewrite the lockfile of a fresh clone.
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];

/** Whether what is installed is what the lockfile and the manifests ask for now. */
export function isInstalled(root) {
  const marker = markerOf(root);
  return existsSync(marker) && readFileSync(marker, 'utf8') === wantedHash(root);
}

/** Installs the dependencies, with npm's own messages only when something is wrong. */
export async function install(root) {
  const began = Date.now();
  process.stdout.write('Installing dependencies (the first time takes about a minute) …\n');
  const code = await npmInstall(root);
  if (code !== 0) {
    process.stderr.write('The dependencies could not be installed; npm says why above.\n');
    process.exit(code);
  }
  markInstalled(root);
  process.stdout.write(`Installed in ${Math.round((Date.now() - began) / 1000)} s.\n`);
}

/** Remembers what was installed. */
export function markInstalled(root) {
  const marker = markerOf(root);
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, wantedHash(root));
}

function npmInstall(root) {
  // The npm that runs us, where one does; it need not be on the path.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm ? [process.execPath, npm] : ['npm'];
  return new Promise((resolve) => {
    const stdio = ['ignore', 'ignore', 'inherit'];
    const child = spawn(program, [...first, ...INSTALL], { cwd: root, stdio });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => child.kill(signal));
    }
    child.once('error', (error) => {
      process.stderr.write(`npm does not start: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function markerOf(root) {
  return join(root, 'node_modules/.proveklar-installed');
}

function wantedHash(root) {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifests = ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)];
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of ['package-lock.json', ...manifests]) {
    const path = join(root, file);
    hash.update(`\0${file}\0`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}
