// The target of every npm script. Plain JavaScript without dependencies, because it runs before
// anything is installed and on whichever Node the machine has (20 or newer).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, isInstalled } from './bootstrap/install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SCRIPTS = {
  start: ['local/stack.ts'],
  dev: ['local/stack.ts', '--dev'],
  test: ['local/run-tests.ts'],
  bench: ['bench/run.ts'],
  check: ['local/check.ts'],
  // Steps of the check, under the names that other projects have for them.
  lint: ['local/check.ts', '--only', 'lint'],
  format: ['local/check.ts', '--only', 'format', '--fix'],
  typecheck: ['local/check.ts', '--only', 'types'],
  build: ['local/build.ts'],
  configure: ['operators/configure.ts'],
  doctor: ['local/run-command.ts', 'operators/doctor/main.ts'],
  events: ['local/run-command.ts', 'workers/events-command.ts'],
  reconcile: ['local/run-command.ts', 'workers/reconcile-command.ts'],
};
// The others run on what the product itself needs: half as much to install.
const NEED_ALL = new Set(['test', 'bench', 'check', 'lint', 'format', 'typecheck']);
/** The first that strips types and knows `import.meta.main`, by which a command knows that it is one. */
const NEEDED = { major: 24, minor: 2 };

const [command = '', ...args] = process.argv.slice(2);
if (command === 'reset') reset();
else if (command in SCRIPTS) await run(command, args);
else fail(`Say one of: ${[...Object.keys(SCRIPTS), 'reset'].join(', ')}.`);

async function run(command, args) {
  const level = NEED_ALL.has(command) ? 'all' : 'run';
  if (!isInstalled(root, level)) await install(root, level);
  const [script, ...scriptArgs] = [...SCRIPTS[command], ...args];
  const node = findNode();
  const bin = join(root, 'node_modules/.bin');
  const path = [bin, dirname(node), process.env.PATH].join(delimiter);
  // Without it, each process that starts strips and compiles the same files: 1.0 s instead of 0.6.
  const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, '.local/compiled');
  // The channel tells the stack when this process is gone, also when it was killed.
  const channel = script === 'local/stack.ts' ? ['ipc'] : [];
  const child = spawn(node, [join(root, script), ...scriptArgs], {
    cwd: root,
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
    stdio: ['inherit', 'inherit', 'inherit', ...channel],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  // npm puts a shell between itself and us; when npm is told to end, that shell ends and we do not.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref();
  child.once('error', (error) => fail(`${node} does not start: ${error.message}`));
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

/** The Node that npm installed for this project, else the one that runs this, if new enough. */
function findNode() {
  const packaged = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const installed = ['node_modules/.bin/node', packaged].map((path) => join(root, path));
  const found = [...installed.filter(existsSync), process.execPath].find(isNewEnough);
  if (found) return found;
  return fail(
    `Prøveklar runs on Node ${NEEDED.major}.${NEEDED.minor} or newer; this is ${process.version}, ` +
      `and npm has no Node package for ${process.platform}-${process.arch}.\n` +
      `Install Node ${NEEDED.major} from https://nodejs.org/en/download and run this again.`,
  );
}

function isNewEnough(node) {
  const version =
    node === process.execPath
      ? process.version
      : spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout;
  const [, major, minor] = (/^v(\d+)\.(\d+)/.exec(version ?? '') ?? []).map(Number);
  return major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor);
}

/** Removes the local data: database, users, payments, logs. */
function reset() {
  const running = runningStack();
  if (running) {
    fail(`Prøveklar runs (process ${running}). Stop it with Ctrl-C there, then reset.`);
  }
  rmSync(join(root, '.local'), { recursive: true, force: true });
  process.stdout.write('Removed .local/: the next npm start begins anew.\n');
}

/** The same question as local/running.ts asks, here on any Node. */
function runningStack() {
  try {
    const { pid } = JSON.parse(readFileSync(join(root, '.local/running.json'), 'utf8'));
    process.kill(pid, 0);
    const isOther =
      process.platform === 'linux' &&
      !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stack.ts');
    return isOther ? undefined : pid;
  } catch {
    return undefined;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
