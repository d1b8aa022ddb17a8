import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Clears what a run left that was killed: a server of this very data directory is stopped, and a pid
 * file whose number meanwhile belongs to another program is removed, since PostgreSQL would take
 * that program for a server and refuse to start.
 */
export async function clearLeftover(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (isServerOf(pid, dataDir)) await stopServer(pid, dataDir);
  rmSync(file, { force: true });
}

async function stopServer(pid: number, dataDir: string): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one; both lose nothing committed.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    for (let waited = 0; waited < 4_000; waited += 50) {
      if (!isServerOf(pid, dataDir)) return;
      await sleep(50);
    }
  }
}

function isServerOf(pid: number, dataDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    // A server works inside its data directory.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
  } catch {
    return false;
  }
}
