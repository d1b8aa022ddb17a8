import type { Transaction } from '#database/pool.ts';
import { addToItems, type ItemSums } from './measure-quizzes.ts';
import { updateQuality } from './update-quality.ts';

/** An answer that was graded anew, after it had been told of as final. */
export interface RegradedAnswer {
  question_id: number;
  version: number;
  /** As it is now; it was the opposite. */
  correct: boolean;
}

const NO_SUMS = { quizzes: 0, quizzes_right: 0, rest_sum: 0, rest_squares: 0, rest_right: 0 };

/**
 * Moves answers between right and wrong, and adds what their quizzes' sums differ by. An answer that
 * is still waiting to be counted may be moved too: sums do not mind the order.
 *
 * The tables are changed in the order in which counting does.
 */
export async function moveAnswers(
  tx: Transaction,
  answers: RegradedAnswer[],
  sums: ItemSums[],
): Promise<void> {
  await tx.query(
    `insert into question_statistics (question_id, times_correct, times_incorrect)
     select question.id, sum(more_correct), -sum(more_correct)
     from unnest($1::bigint[], $2::int[]) as given (question_id, more_correct)
     join question on question.id = given.question_id
     group by question.id order by question.id
     on conflict (question_id) do update set
       times_correct = question_statistics.times_correct + excluded.times_correct,
       times_incorrect = question_statistics.times_incorrect + excluded.times_incorrect`,
    [answers.map((answer) => answer.question_id), answers.map(moreCorrect)],
  );
  await addToItems(tx, [
    ...sums.map((item) => ({ ...item, more_correct: 0 })),
    ...answers.map((answer) => ({ ...NO_SUMS, ...answer, more_correct: moreCorrect(answer) })),
  ]);
  await updateQuality(
    tx,
    [...answers, ...sums].map((item) => item.question_id),
  );
}

const moreCorrect = ({ correct }: RegradedAnswer) => (correct ? 1 : -1);
