import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { notifyLive } from '#live/notify.ts';
import { conditionsOf } from '#questions/question-filter.ts';
import { hiddenImports } from '#questions/visible.ts';
import { apply, takeBack } from './actions.ts';
import { filterOf, type ChangeRow } from './change.ts';
import { lockChange } from './read-changes.ts';

/** Questions are changed so many ids at a time: each part takes a fraction of a second. */
const WINDOW = 4_000;

/**
 * Moves a change on by one part, or takes one part back. Whoever takes it up after a kill goes on
 * where the last part ended.
 *
 * @returns whether there is more to do
 */
export async function runChange(db: Database, id: string): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    const more = await moveOn(tx, await lockChange(tx, id), WINDOW);
    await notifyLive(tx, [{ topic: 'questions' }]);
    return more;
  });
}

/** The same in a transaction of one's own, over so many ids; for what is done at once. */
export async function moveOn(tx: Transaction, change: ChangeRow, window: number): Promise<boolean> {
  if (change.state === 'running') return goOn(tx, change, window);
  if (change.state === 'undoing') return goBack(tx, change);
  return false;
}

async function goOn(tx: Transaction, change: ChangeRow, window: number): Promise<boolean> {
  const upTo = Math.min(change.done_id + window, change.last_id);
  const ids = await selected(tx, change, upTo);
  const { ids: changed, topics } = await apply(tx, change, ids);
  if (changed.length > 0) {
    await tx.query(
      `insert into question_change_batch (change_id, number, ids, topics)
       select $1, coalesce(max(number), 0) + 1, $2, $3
       from question_change_batch where change_id = $1`,
      [change.id, changed, topics],
    );
  }
  const isLast = upTo === change.last_id;
  await tx.query(
    `update question_change
     set done_id = $2, done = done + $3, changed = changed + $4,
         state = case when $5 then 'completed' else state end,
         ended_at = case when $5 then now() end
     where id = $1`,
    [change.id, upTo, ids.length, changed.length, isLast],
  );
  return !isLast;
}

async function selected(
  tx: Transaction,
  { selection, done_id }: ChangeRow,
  upTo: number,
): Promise<number[]> {
  const range = `question.id > ${done_id} and question.id <= ${upTo}`;
  const { where, values } = await selectionConditions(tx, selection);
  const { rows } = await tx.query<{ id: number }>(
    `select id from question where ${where} and ${range} order by id`,
    values,
  );
  return rows.map((row) => row.id);
}

/** The conditions of a selection, over `question`. */
export async function selectionConditions(
  tx: Transaction,
  selection: ChangeRow['selection'],
): Promise<{ where: string; values: unknown[] }> {
  if (!('ids' in selection)) return conditionsOf(tx, filterOf(selection));
  return {
    where: `question.id = any ($1)
      and (question.import_id is null or question.import_id <> all ($2::uuid[]))`,
    values: [selection.ids, await hiddenImports(tx)],
  };
}

async function goBack(tx: Transaction, change: ChangeRow): Promise<boolean> {
  const { rows } = await tx.query<{ number: number; ids: number[]; topics: string[] | null }>(
    `delete from question_change_batch where change_id = $1 and number = (
       select max(number) from question_change_batch where change_id = $1)
     returning number, ids, topics`,
    [change.id],
  );
  const [batch] = rows;
  if (batch) await takeBack(tx, change, batch);
  const isLast = !batch || batch.number === 1;
  await tx.query(
    `update question_change
     set changed = changed - $2, state = case when $3 then 'undone' else state end,
         ended_at = case when $3 then now() end
     where id = $1`,
    [change.id, batch?.ids.length ?? 0, isLast],
  );
  return !isLast;
}
