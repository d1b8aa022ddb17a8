import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface RunningStack {
  pid: number;
  url: string;
}

/** The lock file of a running stack's data; `npm run reset` reads it too. */
function lockFile(dataDir: string): string {
  return join(dataDir, 'running.json');
}

/**
 * Locks the data directory for this process.
 *
 * @returns undefined when this process has the lock, until `unlockData`; otherwise the stack that holds it
 */
export function lockData(dataDir: string, url: string): RunningStack | undefined {
  const file = lockFile(dataDir);
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, url });
  try {
    // "wx" fails when the file exists, so of two concurrent starts only one succeeds.
    writeFileSync(file, mine, { flag: 'wx' });
    return undefined;
  } catch {
    const other = readRunning(file);
    if (other && isStack(other.pid)) return other;
    // A stale lock of a killed stack.
    writeFileSync(file, mine);
    return undefined;
  }
}

export function unlockData(dataDir: string): void {
  const file = lockFile(dataDir);
  if (readRunning(file)?.pid === process.pid) rmSync(file, { force: true });
}

function readRunning(file: string): RunningStack | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningStack;
  } catch {
    return undefined;
  }
}

/** Whether the pid is a stack. It may belong to another program by now, which only Linux lets us check. */
function isStack(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stack.ts');
  } catch (error) {
    // EPERM: it runs as another user. ENOENT: it runs, and this platform has no /proc.
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'EPERM' || (code === 'ENOENT' && process.platform !== 'linux');
  }
}
