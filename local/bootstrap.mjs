// The target of every npm script. Plain JavaScript without dependencies, because it runs before
// anything is installed, on whichever Node the host has (20 or newer).
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
  promises: ['tests/promises/run.ts'],
  faults: ['tests/faults/run.ts'],
  bench: ['bench/run.ts'],
  check: ['local/check.ts'],
  // Steps of the check, under the usual names.
  lint: ['local/check.ts', '--only', 'lint'],
  format: ['local/check.ts', '--only', 'format', '--fix'],
  typecheck: ['local/check.ts', '--only', 'types'],
  dependencies: ['local/check/dependencies.ts'],
  build: ['local/build.ts'],
  configure: ['operators/configure.ts'],
  doctor: ['local/run-command.ts', 'operators/doctor/main.ts'],
  webhook: ['local/run-command.ts', 'operators/webhook-command.ts'],
  events: ['local/run-command.ts', 'workers/events-command.ts'],
  reconcile: ['local/run-command.ts', 'workers/reconcile-command.ts'],
  bank: ['local/run-command.ts', 'local/seed/bank.ts'],
};
// The other commands need only the dependencies of the product: half as much to install.
const NEED_ALL = new Set([
  'test',
  'promises',
  'faults',
  'bench',
  'check',
  'lint',
  'format',
  'typecheck',
  'dependencies',
]);
/** The first version that strips types and has `import.meta.main`, which commands use. */
const MIN_NODE = { major: 24, minor: 2 };

const [command = '', ...args] = process.argv.slice(2);
if (command === 'reset') reset();
else if (command in SCRIPTS) await run(command, args);
else
  fail(
    `Usage: node local/bootstrap.mjs <command>. Commands: ${[...Object.keys(SCRIPTS), 'reset'].join(', ')}.`,
  );

async function run(command, args) {
  const level = NEED_ALL.has(command) ? 'all' : 'run';
  if (!isInstalled(root, level)) await install(root, level);
  const [script, ...scriptArgs] = [...SCRIPTS[command], ...args];
  const node = findNode();
  const bin = join(root, 'node_modules/.bin');
  const path = [bin, dirname(node), process.env.PATH].join(delimiter);
  // A compile cache: without it, each process strips and compiles the same files, and starts in 1.0 s, not 0.6.
  const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, '.local/compiled');
  // The stack sees the channel close when this process ends, also when it was killed.
  const channel = script === 'local/stack.ts' ? ['ipc'] : [];
  const child = spawn(node, [join(root, script), ...scriptArgs], {
    cwd: root,
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
    stdio: ['inherit', 'inherit', 'inherit', ...channel],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  // npm runs us in a shell. When npm is stopped, the shell ends and this process does not: it checks its parent.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref();
  child.once('error', (error) => fail(`${node} does not start: ${error.message}`));
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

/** The Node that npm installed for this project, otherwise the one that runs this, if it is new enough. */
function findNode() {
  const packaged = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const installed = ['node_modules/.bin/node', packaged].map((path) => join(root, path));
  const node = [...installed.filter(existsSync), process.execPath].find(isNewEnough);
  if (node) return node;
  return fail(
    `Prøveklar runs on Node ${MIN_NODE.major}.${MIN_NODE.minor} or newer; this is ${process.version}, ` +
      `and npm has no Node package for ${process.platform}-${process.arch}.\n` +
      `Install Node ${MIN_NODE.major} from https://nodejs.org/en/download and run this again.`,
  );
}

function isNewEnough(node) {
  const version =
    node === process.execPath
      ? process.version
      : spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout;
  const [, major, minor] = (/^v(\d+)\.(\d+)/.exec(version ?? '') ?? []).map(Number);
  return major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor);
}

/** Removes the local data: database, users, payments, logs. */
function reset() {
  const running = runningStack();
  if (running) {
    fail(`Prøveklar is running (process ${running}). Stop it with Ctrl-C there, then reset.`);
  }
  rmSync(join(root, '.local'), { recursive: true, force: true });
  process.stdout.write('Removed .local/: the next npm start begins with empty data.\n');
}

/** The same check as in local/data-lock.ts, for any version of Node. */
function runningStack() {
  let pid;
  try {
    ({ pid } = JSON.parse(readFileSync(join(root, '.local/running.json'), 'utf8')));
    process.kill(pid, 0);
    const isOther =
      process.platform === 'linux' &&
      !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stack.ts');
    return isOther ? undefined : pid;
  } catch (error) {
    // EPERM: it runs as another user.
    return error.code === 'EPERM' ? pid : undefined;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
