import type { Transaction } from '#database/pool.ts';
import type { EventPayload } from '#events/catalogue.ts';

// Questions are counted in the order of their ids, so that two workers never wait for each other
// in a circle. A question deleted meanwhile is left out.
const COUNT_ANSWERS = `
  insert into question_statistics (question_id, times_correct, times_incorrect)
  select given.question_id, count(*) filter (where correct), count(*) filter (where not correct)
  from unnest($1::bigint[], $2::boolean[]) as given (question_id, correct)
  join question on question.id = given.question_id
  group by given.question_id order by given.question_id
  on conflict (question_id) do update set
    times_correct = question_statistics.times_correct + excluded.times_correct,
    times_incorrect = question_statistics.times_incorrect + excluded.times_incorrect`;

const COUNT_SELECTIONS = `
  insert into question_statistics (question_id, times_selected)
  select drawn.question_id, count(*)
  from unnest($1::bigint[]) as drawn (question_id)
  join question on question.id = drawn.question_id
  group by drawn.question_id order by drawn.question_id
  on conflict (question_id) do update set
    times_selected = question_statistics.times_selected + excluded.times_selected`;

/** Adds answers to their questions' statistics. Call it once for each answer. */
export async function countAnswers(
  tx: Transaction,
  answers: Pick<EventPayload<'answer.submitted'>, 'question_id' | 'correct'>[],
): Promise<void> {
  await tx.query(COUNT_ANSWERS, [
    answers.map((answer) => answer.question_id),
    answers.map((answer) => answer.correct),
  ]);
}

/** Adds one selection for each question drawn into a quiz. Call it once for each quiz. */
export async function countSelections(tx: Transaction, questionIds: number[]): Promise<void> {
  await tx.query(COUNT_SELECTIONS, [questionIds]);
}
