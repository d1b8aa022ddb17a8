import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#database/pool.ts';
import { readImport, type ImportSummary } from './read-imports.ts';

const ASK_MS = 100;
const UNDER_WAY = new Set(['receiving', 'processing']);

/**
 * Waits until an import has ended, one way or another, but no longer than so many seconds.
 *
 * @param signal ends the waiting
 */
export async function waitForImport(
  db: Database,
  importId: string,
  seconds: number,
  signal?: AbortSignal,
): Promise<ImportSummary> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await readImport(db, importId);
    const isOver = Date.now() >= deadline || signal?.aborted;
    if (!UNDER_WAY.has(found.state) || isOver) return found;
    await sleep(Math.min(ASK_MS, Math.max(1, deadline - Date.now())));
  }
}
