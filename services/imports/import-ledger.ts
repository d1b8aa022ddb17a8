import type { Database } from '#database/pool.ts';

/** How far a file has been read. */
export interface Ledger {
  /** The first batch that is not in the bank, and where it begins. */
  batch: number;
  byte: number;
  rows: number;
  /** Later batches that are in the bank all the same: several are on their way at a time. */
  ahead: ReadonlySet<number>;
}

/** Reads where an earlier worker stopped. */
export async function readLedger(db: Database, importId: string): Promise<Ledger> {
  const { rows: batches } = await db.query<{ number: number; rows: number; end_byte: number }>(
    'select number, rows, end_byte from import_batch where import_id = $1 order by number',
    [importId],
  );
  const gap = batches.findIndex((batch, index) => batch.number !== index);
  const whole = gap === -1 ? batches : batches.slice(0, gap);
  return {
    batch: whole.length,
    byte: whole.at(-1)?.end_byte ?? 0,
    rows: whole.reduce((sum, batch) => sum + batch.rows, 0),
    ahead: new Set(batches.slice(whole.length).map((batch) => batch.number)),
  };
}
