import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Running {
  pid: number;
  url: string;
}

/** The file that says that a stack runs on this data; `npm run reset` looks at it, too. */
function runningFile(dataDir: string): string {
  return join(dataDir, 'running.json');
}

/**
 * Takes the data for this process.
 *
 * @returns the stack that already has it, or undefined: then it is ours until `release`
 */
export function takeData(dataDir: string, url: string): Running | undefined {
  const file = runningFile(dataDir);
  mkdirSync(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, url });
  try {
    // "wx" fails when the file exists, so of two that start together one wins.
    writeFileSync(file, mine, { flag: 'wx' });
    return undefined;
  } catch {
    const other = readRunning(file);
    if (other && isStack(other.pid)) return other;
    // One that was killed left it.
    writeFileSync(file, mine);
    return undefined;
  }
}

export function releaseData(dataDir: string): void {
  const file = runningFile(dataDir);
  if (readRunning(file)?.pid === process.pid) rmSync(file, { force: true });
}

function readRunning(file: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Running;
  } catch {
    return undefined;
  }
}

/** The number may meanwhile belong to another program; where that can be seen, it is looked at. */
function isStack(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('stack.ts');
  } catch (error) {
    // EPERM: it runs, as another user. ENOENT: it runs, and there is no /proc here.
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'EPERM' || (code === 'ENOENT' && process.platform !== 'linux');
  }
}
