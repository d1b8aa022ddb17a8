import { expect } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';

/** Waits until the queues have consumed every event. Canaries are left out: there is always a next one. */
export async function allConsumed(db: Database): Promise<void> {
  const waiting = async () => {
    const { rows } = await db.query(
      `select exists (select from outbox where name <> 'canary.sent')
           or exists (select from event_delivery join event_batch on id = batch_id
                      where done_at is null and name <> 'canary.sent') as waiting`,
    );
    return rows[0].waiting as unknown;
  };
  await expect.poll(waiting).toBe(false);
}
