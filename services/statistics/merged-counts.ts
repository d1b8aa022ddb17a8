import type { Transaction } from '#database/pool.ts';

// The statistics of a question contain those of the questions that were merged into it. `merged_statistics` says how
// much of them, so that it can be taken out again.

const TIMES = ['times_selected', 'times_correct', 'times_incorrect', 'times_reported'];
const COLUMNS = TIMES.join(', ');

/** Locks the rows of all questions whose counts may change, in the order in which answers are counted. */
const LOCK = `
  insert into question_statistics (question_id)
  select id from question
  where id in (
    select unnest($1::bigint[])
    union select into_id from question_merge where question_id = any ($1)
    union select into_id from merged_statistics where question_id = any ($1))
  order by id
  on conflict (question_id) do update set times_selected = question_statistics.times_selected`;

const TAKE_OUT = `
  with taken as (
    delete from merged_statistics where question_id = any ($1::bigint[]) returning into_id, ${COLUMNS}
  ), sums as (
    select into_id, ${TIMES.map((name) => `sum(${name}) as ${name}`).join(', ')} from taken group by into_id)
  update question_statistics counted
  set ${TIMES.map((name) => `${name} = counted.${name} - sums.${name}`).join(', ')}
  from sums where counted.question_id = sums.into_id`;

/** The counts of a question without those of others that it contains. */
const own = (name: string) =>
  `counted.${name} - coalesce((select sum(${name}) from merged_statistics inside
                               where inside.into_id = counted.question_id), 0)`;

// Since the rows were locked, a question may have been merged into another one, which has no row yet.
const ADD = `
  with added as (
    insert into merged_statistics (question_id, into_id, ${COLUMNS})
    select question_id, merged.into_id, ${TIMES.map(own).join(', ')}
    from question_merge merged join question_statistics counted using (question_id)
    where question_id = any ($1::bigint[])
    returning into_id, ${COLUMNS})
  insert into question_statistics (question_id, ${COLUMNS})
  select into_id, ${TIMES.map((name) => `sum(${name})`).join(', ')} from added group by into_id order by into_id
  on conflict (question_id) do update
  set ${TIMES.map((name) => `${name} = question_statistics.${name} + excluded.${name}`).join(', ')}`;

/**
 * Adds the counts of these questions to the ones that they are merged into now, and takes them out of the ones that
 * they were merged into before. Safe to repeat, and in any order with other calls.
 */
export async function moveMergedCounts(tx: Transaction, questionIds: number[]): Promise<void> {
  for (const text of [LOCK, TAKE_OUT, ADD]) await tx.query(text, [questionIds]);
}
