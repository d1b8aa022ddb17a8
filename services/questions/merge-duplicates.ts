import type { Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';

// Of two near-duplicates with the same answer, the one that is taken out of use is merged into the one that stays:
// what learners remember of it counts for that one (`KNOWN_QUESTIONS` in services/learning/latest-answers.ts), and so
// do its statistics (services/statistics/merged-counts.ts). Finished quizzes keep the words that were asked.
// Why nothing of a question is rewritten: docs/decisions/0045-a-retired-duplicate-is-merged.md.

/** SQL: whether `question` and `other` have the same right answer, but for capital letters. */
export const HAS_SAME_ANSWER = 'casefold(btrim(question.answer)) = casefold(btrim(other.answer))';

// The most similar active question with which a retired one has an open pair, or into which that one was merged.
const MERGE = `
  insert into question_merge (question_id, into_id)
  select distinct on (question.id) question.id, other.id
  from question
  cross join lateral (
    select similar_id as id, similarity from near_duplicate
    where question_id = question.id and dismissed_at is null
    union all
    select question_id, similarity from near_duplicate
    where similar_id = question.id and dismissed_at is null) pair
  left join question_merge merged on merged.question_id = pair.id
  join question other on other.id = coalesce(merged.into_id, pair.id)
  where question.id = any ($1::bigint[]) and question.retired_at is not null
    and other.retired_at is null and other.language = question.language and ${HAS_SAME_ANSWER}
    and not exists (select from question_merge where question_id = question.id)
  order by question.id, pair.similarity desc, other.id
  on conflict (question_id) do nothing
  returning question_id`;

/** What was merged into a question that is merged itself now follows it. */
const FOLLOW = `
  update question_merge follower set into_id = merged.into_id
  from question_merge merged
  where merged.question_id = any ($1::bigint[]) and follower.into_id = merged.question_id
  returning follower.question_id`;

/**
 * Merges those of these retired questions that are near-duplicates of one with the same answer that stays. Of a chain
 * of near-duplicates, all are merged into the one that is left.
 */
export async function mergeRetired(tx: Transaction, ids: readonly number[]): Promise<void> {
  // A round merges what has an active question beside it, or one that was merged in a round before.
  for (;;) {
    const merged = await idsOf(tx, MERGE, ids);
    if (merged.length === 0) return;
    await announce(tx, [...merged, ...(await idsOf(tx, FOLLOW, merged))]);
  }
}

/** Separates questions that are in use again from those that they were merged into. */
export async function unmerge(tx: Transaction, ids: readonly number[]): Promise<void> {
  const UNMERGE =
    'delete from question_merge where question_id = any ($1::bigint[]) returning question_id';
  await announce(tx, await idsOf(tx, UNMERGE, ids));
}

async function idsOf(tx: Transaction, sql: string, ids: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ question_id: number }>(sql, [ids]);
  return rows.map(({ question_id }) => question_id);
}

/** Questions that one event names, at most. */
const MAX_IN_EVENT = 500;

async function announce(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_IN_EVENT) {
    await emit(tx, 'questions.merged', { question_ids: ids.slice(at, at + MAX_IN_EVENT) });
  }
}
