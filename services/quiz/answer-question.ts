import type { Database } from '#database/pool.ts';
import { refuseEndedSession } from '#accounts/sessions.ts';
import { AppError } from '#errors/app-error.ts';
import { storeInLine } from './answer-line.ts';
import { handInIfOverdue, IS_OVERDUE } from './overdue.ts';
import type { GivenAnswer } from './store-answers.ts';

/**
 * What is told of an answer: neither the key nor an explanation before they may be known.
 *
 * The score is told after each answer of a drill, also of one without instant feedback, where it says whether
 * the answer was right. The specification has it in this call's answer and in the session (sections 3 and 7);
 * such a drill is for practising without a pause, not a test, and our screen does not show it before the end.
 */
export interface AnswerOutcome {
  /** Right answers so far; null in a practice test. */
  score: number | null;
  correct: boolean | null;
  /** The answer that stands, where one had been given before. */
  answer?: string;
  correct_answer?: string;
  explanation?: string | null;
  source_url?: string | null;
}

/**
 * Stores an answer. In a drill the first answer is final: after it, any other returns that one
 * (`answer`) and its result.
 * In a practice test an answer may be changed until hand-in, and nothing is told before.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed`, `question_not_in_quiz`, `answer_not_an_option`,
 *   `account_disabled`, `token_invalid` for a session that was ended
 */
export async function answerQuestion(db: Database, given: GivenAnswer): Promise<AnswerOutcome> {
  const row = await storeInLine(db, given);
  if (!row) throw await whyRefused(db, given);
  if (row.kind === 'practice_test') return { score: null, correct: null };
  const first = row.stored ? undefined : await firstAnswer(db, given);
  const correct = first?.correct ?? row.correct;
  const stands = first && { answer: first.answer };
  const score = row.others_correct + Number(correct);
  if (!row.instant_feedback) return { score, correct: null, ...stands };
  return {
    score,
    correct,
    ...stands,
    correct_answer: row.key,
    explanation: row.explanation,
    source_url: row.source_url,
  };
}

async function firstAnswer(db: Database, given: GivenAnswer) {
  const { rows } = await db.query<{ correct: boolean; answer: string }>(
    `select correct, quiz_answer.answer from quiz_answer join question on question.id = question_id
     where quiz_id = $1 and question.uuid = $2`,
    [given.quizId, given.questionUuid],
  );
  return rows[0];
}

interface Refused {
  account_state: string;
  tokens_valid_after: Date | null;
  /** Null when it is not theirs, or is not any more. */
  quiz_state: string | null;
  overdue: boolean;
  asked: boolean;
}

/** Looks closer at an answer that found nothing to answer. */
async function whyRefused(db: Database, given: GivenAnswer): Promise<AppError> {
  const { rows } = await db.query<Refused>(
    `select account.state as account_state, tokens_valid_after, quiz.state as quiz_state, ${IS_OVERDUE} as overdue,
            exists (select from quiz_question join question on question.id = question_id
                    where quiz_id = quiz.id and question.uuid = $3) as asked
     from account left join quiz on quiz.id = $1 and quiz.account_id = account.id
     where account.uid = $2`,
    [given.quizId, given.uid, given.questionUuid],
  );
  const found = rows[0];
  if (found && found.account_state !== 'active') return new AppError('account_disabled');
  if (found) refuseEndedSession(found, given);
  if (!found || found.quiz_state === null) return new AppError('quiz_not_found');
  if (found.overdue) await handInIfOverdue(db, given.quizId);
  if (found.overdue || found.quiz_state !== 'open') return new AppError('quiz_closed');
  if (!found.asked) {
    return new AppError('question_not_in_quiz', { details: { field: 'question_id' } });
  }
  return new AppError('answer_not_an_option', { details: { field: 'answer' } });
}
