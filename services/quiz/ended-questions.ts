import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { PRACTICE_TEST_DISTRACTORS } from '#questions/option-order.ts';

export interface EndedQuestion {
  id: number;
  uuid: string;
  question: string;
  answer: string;
  /** The wrong answers that were shown. */
  incorrect: string[];
  topic: string;
  language: string;
  explanation: string | null;
  source_url: string | null;
}

/**
 * The questions of a quiz that this account has ended, keys and explanations included; by default of
 * the last one.
 *
 * @throws AppError `quiz_not_found` when there is none, it is not theirs, or it has not ended
 */
export async function listEndedQuestions(
  db: Queryable,
  accountId: string,
  quizId: string | undefined,
): Promise<EndedQuestion[]> {
  const { rows } = await db.query<EndedQuestion>(
    `with ended as (
       select id, kind from quiz
       where account_id = $1 and state = 'ended' and ($2::uuid is null or id = $2)
       order by ended_at desc limit 1)
     select question.id, uuid, question, answer, topic, language, explanation, source_url,
            case kind when 'practice_test' then incorrect[1:${PRACTICE_TEST_DISTRACTORS}]
              else incorrect end as incorrect
     from ended
     join quiz_question on quiz_question.quiz_id = ended.id
     join question on question.id = quiz_question.question_id
     order by position`,
    [accountId, quizId ?? null],
  );
  if (rows.length === 0) throw new AppError('quiz_not_found');
  return rows;
}
