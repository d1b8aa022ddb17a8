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
  /** Asks it to stop, and kills it after `graceMs`. Resolves when it has ended. */
  stop: (graceMs?: number) => Promise<void>;
  /** Kills it immediately. */
  kill: () => void;
}

interface NodeOptions {
  name: string;
  /** The file to run, and its arguments. */
  script: string[];
  env: Record<string, string | undefined>;
  logFile: string;
  /** Called for every line that the process writes. */
  onLine?: (line: string) => void;
}

type GuardedOptions = Omit<GuardOrder, 'uid' | 'gid'> & {
  name: string;
  account?: { uid?: number; gid?: number };
  logFile: string;
};

const WITH_PARENT = fileURLToPath(new URL('./exit-with-parent.ts', import.meta.url));
const GUARD = fileURLToPath(new URL('./guard.ts', import.meta.url));
const GRACE_MS = 8_000;
/** How often a log is read for new lines, and how many bytes at a time. */
const TAIL_INTERVAL_MS = 150;
const TAIL_CHUNK_BYTES = 64 * 1024;
/**
 * As in the image (Dockerfile). V8 sizes its heap by the memory of the host: on a large host, an import had
 * 200 MB of garbage before it was collected. Our processes need less than a tenth of this limit.
 */
const HEAP = ['--max-old-space-size=512', '--max-semi-space-size=8'];

/** Node's compile cache (`bootstrap.mjs`). Passed on, unlike other variables of the shell. */
const { NODE_COMPILE_CACHE } = process.env;

/**
 * Runs one of our TypeScript files in its own process.
 *
 * The process has its own process group, so Ctrl-C reaches only the parent, which stops the children in order.
 * It ends with its parent, also if the parent is killed (`exit-with-parent.ts`). It writes its log itself and
 * not through a pipe, which would break when the parent is killed.
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

/** Runs a third-party program; a guard process stops it when the parent ends (`guard.ts`). */
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
 * Runs a program and waits for its end.
 *
 * @returns its output
 * @throws Error with its output when it fails, or the reason of the abort
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
  // Its own process group, so that its children can be stopped with it.
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

/** The last lines of a log, for an error message. */
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
  // 0 would signal our own process group: no process was started.
  if (pid === 0) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

/**
 * Calls `onLine` for every line that is appended to a file from now on.
 *
 * @returns stops it, after a last read
 */
function tail(file: string, onLine: (line: string) => void): () => void {
  const descriptor = openSync(file, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(TAIL_CHUNK_BYTES);
  let position = statSync(file).size;
  let rest = '';

  const look = () => {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, TAIL_CHUNK_BYTES, position);
      if (length === 0) return;
      position += length;
      const lines = (rest + decoder.write(buffer.subarray(0, length))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };

  const timer = setInterval(look, TAIL_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    closeSync(descriptor);
  };
}
