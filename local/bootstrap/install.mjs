// Plain JavaScript for the same reason as ../bootstrap.mjs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// `npm ci` fails if the lockfile lacks the optional packages of another platform. Without `--no-save` an
// install may rewrite the lockfile of a fresh clone.
const INSTALL = [
  'install',
  '--ignore-scripts',
  '--no-save',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];
// Explicit, because NODE_ENV=production or an npm setting would leave out devDependencies.
const LEVEL_OPTIONS = { run: ['--omit=dev'], all: ['--include=dev'] };
// Measured with `du -sm node_modules` in a fresh clone on linux-x64.
const LEVEL_MB = { run: 630, all: 810 };
const PROGRESS_INTERVAL_MS = { terminal: 500, log: 10_000 };

/**
 * Whether the installed packages match the lockfile and the manifests.
 *
 * @param level `run`: the dependencies of the product; `all`: also the devDependencies, which tests, checks
 *   and benchmarks need. `all` includes `run`.
 */
export function isInstalled(root, level = 'all') {
  const marker = readMarker(root);
  return marker?.hash === wantedHash(root) && (marker.level === 'all' || level === 'run');
}

/** Installs the dependencies. Prints npm's own messages only on an error. */
export async function install(root, requestedLevel = 'all') {
  const began = Date.now();
  // Never from `all` to `run`: npm would remove the devDependencies, and the next `npm test` install them again.
  const had = levelBefore(root);
  const level = had === 'all' ? 'all' : requestedLevel;
  // Written before npm changes anything, so that an interrupted install does not count as complete.
  writeMarker(root, 'unfinished', level);
  const end = showProgress(root, level, had);
  const code = (await npmInstall(root, LEVEL_OPTIONS[level])) || (await runAllowedScripts(root));
  end();
  if (code !== 0) {
    process.stderr.write('The dependencies could not be installed; npm says why above.\n');
    process.exit(code);
  }
  markInstalled(root, level);
  process.stdout.write(`Installed in ${Math.round((Date.now() - began) / 1000)} s.\n`);
}

/** Records what was installed. */
export function markInstalled(root, level = 'all') {
  writeMarker(root, wantedHash(root), level);
}

/**
 * Runs `npm install` in a folder with a lockfile, without install scripts. Changes nothing outside its node_modules.
 *
 * @returns npm's exit code; errors are on stderr
 */
export function npmInstall(folder, options = []) {
  return runNpm(folder, [...INSTALL, ...options]);
}

/**
 * Runs the install scripts of the packages that `allowScripts` of package.json allows. Left to npm, an older version
 * would run every script, and a newer one those that `allowScripts` does not name.
 */
async function runAllowedScripts(root) {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && isPackageInstalled(root, `node_modules/${name}`),
  );
  if (names.length === 0) return 0;
  return runNpm(root, ['rebuild', '--ignore-scripts=false', '--loglevel=error', ...names]);
}

function runNpm(folder, args) {
  // The npm that runs us, if any; it may not be on the PATH.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm ? [process.execPath, npm] : ['npm'];
  return new Promise((resolve) => {
    const stdio = ['ignore', 'ignore', 'inherit'];
    const child = spawn(program, [...first, ...args], { cwd: folder, stdio });
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const stop = (signal) => child.kill(signal);
    const end = (code) => {
      for (const signal of signals) process.off(signal, stop);
      resolve(code);
    };
    for (const signal of signals) process.on(signal, stop);
    child.once('error', (error) => {
      process.stderr.write(`npm does not start: ${error.message}\n`);
      end(1);
    });
    child.once('exit', (code) => end(code ?? 1));
  });
}

/** The installed level, also after an interrupted install or an `npm install` by hand. */
function levelBefore(root) {
  const marker = readMarker(root);
  if (marker) return marker.level;
  return existsSync(join(root, 'node_modules/.package-lock.json')) ? 'all' : undefined;
}

function showProgress(root, level, had) {
  const missing = packagesOf(root, level).filter((path) => !isPackageInstalled(root, path));
  if (missing.length === 0) {
    process.stdout.write('Bringing the dependencies up to date …\n');
    return () => {};
  }
  const megabytes = LEVEL_MB[level] - (had ? LEVEL_MB[had] : 0);
  const size = megabytes > 0 ? ` (about ${megabytes} MB, once)` : '';
  const what = had === 'run' && level === 'all' ? 'the packages for tests and checks' : 'packages';
  process.stdout.write(`Installing ${what}: ${missing.length}${size} …\n`);
  const { isTTY } = process.stdout;
  const show = () => {
    const there = missing.filter((path) => isPackageInstalled(root, path)).length;
    process.stdout.write(`${isTTY ? '\r' : ''}  ${there} of ${missing.length}${isTTY ? '' : '\n'}`);
  };
  const timer = setInterval(show, isTTY ? PROGRESS_INTERVAL_MS.terminal : PROGRESS_INTERVAL_MS.log);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stdout.write('\r\u001B[K');
  };
}

function isPackageInstalled(root, path) {
  return existsSync(join(root, path, 'package.json'));
}

/** The paths of a level's packages, without optional ones, of which npm installs those of this platform. */
function packagesOf(root, level) {
  const lockfile = join(root, 'package-lock.json');
  const { packages = {} } = existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')) : {};
  return Object.entries(packages)
    .filter(([path, { link, optional }]) => path.includes('node_modules/') && !link && !optional)
    .filter(([, { dev }]) => level === 'all' || !dev)
    .map(([path]) => path);
}

function markerOf(root) {
  return join(root, 'node_modules/.proveklar-installed');
}

function readMarker(root) {
  const marker = markerOf(root);
  if (!existsSync(marker)) return undefined;
  // A marker without a level is from a version that always installed everything.
  const [hash, level = 'all'] = readFileSync(marker, 'utf8').split(' ');
  return { hash, level };
}

function writeMarker(root, hash, level) {
  const marker = markerOf(root);
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, `${hash} ${level}`);
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
