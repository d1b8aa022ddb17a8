import type { Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';

// Of two near-duplicates with the same answer, the one that is taken out of use is merged into the one that stays:
// what learners remember of it counts for that one (`KNOWN_QUESTIONS` in services/learning/latest-answers.ts), and so
// do its statistics (services/statistics/merged-counts.ts). Finished quizzes keep the words that were asked.
// Why nothing of a question is rewritten: docs/decisions/0045-a-retired-duplicate-is-merged.md.

/**
 * The similarity from which two texts count as near-duplicates. Among the demo's 262 Norwegian
 * questions, none of which is a duplicate, 4 pairs of 34,191 reach it (0.5: 11; 0.7: 1). Of the same
 * questions with artificial changes, these shares reach it: 99 % with one typo, 92 % with two, 100 % in
 * another word order, 99 % with a word left out, 82–92 % with another opening (0.7: 91, 79, 100, 97,
 * 53–65 %).
 */
export const THRESHOLD = 0.6;

/** SQL: whether `question` and `other` have the same right answer, but for capital letters. */
export const HAS_SAME_ANSWER = 'casefold(btrim(question.answer)) = casefold(btrim(other.answer))';

/** One after the other: otherwise each of two that retire a pair would merge its question into the other one. */
const LOCK = `select pg_advisory_xact_lock(hashtext('question_merge'))`;

// The most similar active question with which a retired one has an open pair, or into which that one was merged. Texts
// may have been edited since the pair was found, so the similarity is computed again.
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
  join question paired on paired.id = pair.id
  left join question_merge merged on merged.question_id = pair.id
  join question other on other.id = coalesce(merged.into_id, pair.id)
  where question.id = any ($1::bigint[]) and question.retired_at is not null
    and other.retired_at is null and other.language = question.language and ${HAS_SAME_ANSWER}
    and similarity(question.question, paired.question) >= ${THRESHOLD}
    and not exists (select from question_merge where question_id = question.id)
  order by question.id, pair.similarity desc, other.id
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
  if (ids.length === 0) return;
  await tx.query(LOCK);
  // A round merges what has an active question beside it, or one that was merged in a round before.
  for (;;) {
    const merged = await idsOf(tx, MERGE, ids);
    if (merged.length === 0) return;
    await announce(tx, [...merged, ...(await idsOf(tx, FOLLOW, merged))]);
  }
}

/** All that was merged into the same questions as these, which may have come there by way of these. */
const UNMERGE = `
  delete from question_merge
  where into_id in (select into_id from question_merge where question_id = any ($1::bigint[]))
  returning question_id`;

/** Separates questions that are in use again from those that they were merged into. What was merged into these follows. */
export async function unmerge(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(LOCK);
  const separated = await idsOf(tx, UNMERGE, ids);
  await mergeRetired(tx, separated);
  await announce(tx, separated);
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
