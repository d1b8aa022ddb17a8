// Plain JavaScript for the same reason as ../bootstrap.mjs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// `npm ci` would refuse where the lockfile lacks another platform's optional packages, and without
// `--no-save` an install may rewrite the lockfile of a fresh clone.
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
// Said outright, because NODE_ENV=production or a setting of npm's would leave them out.
const LEVEL_OPTIONS = { run: ['--omit=dev'], all: ['--include=dev'] };
// What `du -sm node_modules` said of a fresh clone on linux-x64.
const LEVEL_MB = { run: 630, all: 810 };
const SHOW_PROGRESS_MS = { terminal: 500, log: 10_000 };

/**
 * Whether what is installed is what the lockfile and the manifests ask for now.
 *
 * @param level `run` is what the product needs, `all` adds the devDependencies: what tests, checks and
 *   benchmarks need. Who has all can run too.
 */
export function isInstalled(root, level = 'all') {
  const marker = readMarker(root);
  return marker?.hash === wantedHash(root) && (marker.level === 'all' || level === 'run');
}

/** Installs the dependencies, with npm's own messages only when something is wrong. */
export async function install(root, wanted = 'all') {
  const began = Date.now();
  // npm would remove what an install for `run` leaves out, and the next `npm test` load it again.
  const had = levelBefore(root);
  const level = had === 'all' ? 'all' : wanted;
  // Before npm changes anything: an install that is interrupted must not count as done.
  writeMarker(root, 'unfinished', level);
  const end = showProgress(root, level, had);
  const code = await npmInstall(root, LEVEL_OPTIONS[level]);
  end();
  if (code !== 0) {
    process.stderr.write('The dependencies could not be installed; npm says why above.\n');
    process.exit(code);
  }
  markInstalled(root, level);
  process.stdout.write(`Installed in ${Math.round((Date.now() - began) / 1000)} s.\n`);
}

/** Remembers what was installed. */
export function markInstalled(root, level = 'all') {
  writeMarker(root, wantedHash(root), level);
}

/**
 * Runs `npm install` in a folder with a lockfile, and changes nothing outside its node_modules.
 *
 * @returns npm's exit code; what was wrong is on stderr
 */
export function npmInstall(folder, options = []) {
  // The npm that runs us, where one does; it need not be on the path.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm ? [process.execPath, npm] : ['npm'];
  return new Promise((resolve) => {
    const stdio = ['ignore', 'ignore', 'inherit'];
    const child = spawn(program, [...first, ...INSTALL, ...options], { cwd: folder, stdio });
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

/** The level of what is there, also of an install that was interrupted or that npm was told by hand. */
function levelBefore(root) {
  const marker = readMarker(root);
  if (marker) return marker.level;
  return existsSync(join(root, 'node_modules/.package-lock.json')) ? 'all' : undefined;
}

function showProgress(root, level, had) {
  const missing = packagesOf(root, level).filter((path) => !isThere(root, path));
  if (missing.length === 0) {
    process.stdout.write('Bringing the dependencies up to date …\n');
    return () => {};
  }
  const megabytes = LEVEL_MB[level] - (had ? LEVEL_MB[had] : 0);
  const size = megabytes > 0 ? ` (about ${megabytes} MB, once)` : '';
  const what = had === 'run' && level === 'all' ? 'what tests and checks need besides' : 'packages';
  process.stdout.write(`Installing ${what}: ${missing.length}${size} …\n`);
  const { isTTY } = process.stdout;
  const show = () => {
    const there = missing.filter((path) => isThere(root, path)).length;
    process.stdout.write(`${isTTY ? '\r' : ''}  ${there} of ${missing.length}${isTTY ? '' : '\n'}`);
  };
  const timer = setInterval(show, isTTY ? SHOW_PROGRESS_MS.terminal : SHOW_PROGRESS_MS.log);
  return () => {
    clearInterval(timer);
    if (isTTY) process.stdout.write('\r\u001B[K');
  };
}

function isThere(root, path) {
  return existsSync(join(root, path, 'package.json'));
}

/** Where the packages of a level will lie. Of the optional ones npm takes those of this platform. */
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
  // Before there were levels, the marker named none, and everything was installed.
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
