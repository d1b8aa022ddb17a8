import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import type { GuardOrder } from './guard.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  name: string;
  /** The process, and the program that it guards. */
  pids: number[];
  ended: Promise<Ended>;
  /** Asks it to end; after `graceMs` it is killed. Resolves when it has ended. */
  stop: (graceMs?: number) => Promise<void>;
  /** Kills it at once. */
  kill: () => void;
}

interface NodeOptions {
  name: string;
  /** The file to run, and its arguments. */
  script: string[];
  env: Record<string, string | undefined>;
  logFile: string;
  /** Hears every line that the process writes. */
  onLine?: (line: string) => void;
}

type GuardedOptions = Omit<GuardOrder, 'uid' | 'gid'> & {
  name: string;
  account?: { uid?: number; gid?: number };
  logFile: string;
};

const WITH_PARENT = fileURLToPath(new URL('./with-parent.ts', import.meta.url));
const GUARD = fileURLToPath(new URL('./guard.ts', import.meta.url));
const GRACE_MS = 8_000;
/** How often a log is read for new lines, and how much of it at a time. */
const TAIL_EVERY_MS = 150;
const TAIL_CHUNK = 64 * 1024;
/**
 * As in the image (Dockerfile). V8 lets its heap grow with the memory of the machine: on a large one, an
 * import's garbage was 200 MB before it was collected. No process of ours needs a tenth of this limit.
 */
const HEAP = ['--max-old-space-size=512', '--max-semi-space-size=8'];

/** Node keeps there what it has compiled (`bootstrap.mjs`); it is no secret of the one who started us. */
const { NODE_COMPILE_CACHE } = process.env;

/**
 * Runs one of our TypeScript files in a process of its own.
 *
 * It gets its own process group: Ctrl-C reaches only the parent, which stops the children in order.
 * It ends with its parent whatever happens to that one (`with-parent.ts`). It writes to its log
 * itself: at the other end of a pipe, a parent that was killed would leave it writing for ever.
 */
export function startNode({ name, script, env, logFile, onLine }: NodeOptions): Child {
  const log = openLog(logFile);
  const stopTail = onLine && tail(logFile, onLine);
  const child = spawn(process.execPath, [...HEAP, '--import', WITH_PARENT, ...script], {
    env: { NODE_COMPILE_CACHE, ...env },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  if (stopTail) child.once('close', stopTail);
  return toChild(name, child, () => child.kill('SIGTERM'));
}

/** Runs a program that is not ours; a guard ends it with the parent (`guard.ts`). */
export function startGuarded({ name, account, logFile, ...order }: GuardedOptions): Child {
  const log = openLog(logFile);
  const json = JSON.stringify({ ...order, uid: account?.uid, gid: account?.gid });
  const child = spawn(process.execPath, [GUARD, json], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const guarded = toChild(name, child, () => child.connected && child.disconnect());
  child.once('message', (message: { pid: number }) => guarded.pids.push(message.pid));
  return guarded;
}

/**
 * Runs a program to its end.
 *
 * @returns what it wrote
 * @throws Error with what it wrote when it fails, or the reason of the abort
 */
export async function runToEnd(options: {
  name: string;
  command: string[];
  env: Record<string, string | undefined>;
  account?: { uid?: number; gid?: number };
  cwd?: string;
  signal?: AbortSignal;
}): Promise<string> {
  const { name, command, env, account, cwd, signal } = options;
  const [program = '', ...args] = command;
  const { uid, gid } = account ?? {};
  signal?.throwIfAborted();
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  // A group of its own, so that what it started in turn can be stopped with it.
  const child = spawn(program, args, {
    env: { NODE_COMPILE_CACHE, ...env },
    cwd,
    uid,
    gid,
    stdio,
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const stop = () => killQuietly(-(child.pid ?? 0), 'SIGTERM');
  signal?.addEventListener('abort', stop);
  const how = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => resolve(by ?? `exit code ${String(code)}`));
  }).finally(() => signal?.removeEventListener('abort', stop));
  signal?.throwIfAborted();
  if (child.exitCode !== 0) throw new Error(`${name} failed (${how}):\n${output.trimEnd()}`);
  return output;
}

/** The end of a log, for a message. */
export function lastLines(file: string, count = 12): string {
  if (!existsSync(file)) return '';
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, 'a');
}

function toChild(name: string, child: ChildProcess, ask: () => void): Child {
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 1, signal: null }));
  });
  const pids = child.pid === undefined ? [] : [child.pid];
  const kill = () => pids.forEach((pid) => killQuietly(pid, 'SIGKILL'));
  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pids,
    ended,
    kill,
    stop: async (graceMs = GRACE_MS) => {
      if (!running()) return;
      ask();
      const timer = setTimeout(kill, graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  // 0 would be our own group: nothing was started.
  if (pid === 0) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/**
 * Hears the lines that are appended to a file from now on.
 *
 * @returns what ends it, after a last look
 */
function tail(file: string, onLine: (line: string) => void): () => void {
  const descriptor = openSync(file, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(TAIL_CHUNK);
  let position = statSync(file).size;
  let rest = '';

  const look = () => {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, TAIL_CHUNK, position);
      if (length === 0) return;
      position += length;
      const lines = (rest + decoder.write(buffer.subarray(0, length))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };

  const timer = setInterval(look, TAIL_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    closeSync(descriptor);
  };
}
