import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { SHOWN_DISTRACTORS, SHOWN_KEY } from './shown-question.ts';

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
    `with quiz as (
       select id, kind from quiz
       where account_id = $1 and state = 'ended' and ($2::uuid is null or id = $2)
       order by ended_at desc limit 1)
     select question_id as id, uuid, question, ${SHOWN_KEY} as answer, topic, language,
            explanation, source_url,
            array_remove(shown.answer || ${SHOWN_DISTRACTORS}, ${SHOWN_KEY}) as incorrect
     from quiz join shown_question shown on shown.quiz_id = quiz.id
     order by position`,
    [accountId, quizId ?? null],
  );
  if (rows.length === 0) throw new AppError('quiz_not_found');
  return rows;
}
