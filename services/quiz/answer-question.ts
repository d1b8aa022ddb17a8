import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { handInIfOverdue, IN_TIME, IS_OVERDUE } from './overdue.ts';
import type { QuizKind } from './quiz.ts';
import { isRight, SHOWN_DISTRACTORS, SHOWN_KEY } from './shown-question.ts';

export interface GivenAnswer {
  /** The identity provider's id of the learner. */
  uid: string;
  quizId: string;
  questionUuid: string;
  answer: string;
}

interface AnswerRow {
  kind: QuizKind;
  instant_feedback: boolean;
  key: string;
  explanation: string | null;
  source_url: string | null;
  /** Whether this call's answer is right. */
  correct: boolean;
  /** False when an answer stood already. */
  stored: boolean;
  /** Right answers to the quiz's other questions. */
  others_correct: number;
}

/** What is told of an answer; nothing about right and wrong before it may be known. */
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

// One statement, hence one round trip and one commit: who asks, whether the quiz is theirs, open
// and in time, the answer, and its event. The lock makes handing in wait for answers on their way, so that
// an answer is either in the score or refused. Payload of the event: see the catalogue.
const ANSWER = `
  with target as (
    select quiz.id as quiz_id, quiz.kind, quiz.instant_feedback, shown.question_id,
           ${SHOWN_KEY} as key, shown.explanation, shown.source_url,
           ${isRight('$4')} as correct
    from account
    join quiz on quiz.account_id = account.id
    join shown_question shown on shown.quiz_id = quiz.id
    where account.uid = $1 and account.state = 'active'
      and quiz.id = $2 and quiz.state = 'open' and ${IN_TIME}
      and shown.uuid = $3
      and $4 = any (shown.answer || ${SHOWN_DISTRACTORS})
    for share of quiz
  ), stored as (
    insert into quiz_answer (quiz_id, question_id, answer, correct)
    select quiz_id, question_id, $4, correct from target
    on conflict (quiz_id, question_id) do update
      set answer = excluded.answer, correct = excluded.correct, answered_at = now()
      where (select kind from target) = 'practice_test'
    returning question_id
  ), event as (
    insert into outbox (name, payload, trace)
    select 'answer.submitted', jsonb_build_object(
      'quiz_id', quiz_id, 'question_id', question_id, 'correct', correct), $5::jsonb
    from target join stored using (question_id) where kind = 'drill'
  )
  select target.*, stored.question_id is not null as stored,
         (select count(*)::int from quiz_answer
          where quiz_id = target.quiz_id and question_id <> target.question_id
            and quiz_answer.correct) as others_correct
  from target left join stored using (question_id)`;

/** An answer's one statement; the benchmarks run it by itself too. */
export function answerStatement({ uid, quizId, questionUuid, answer }: GivenAnswer) {
  return {
    name: 'answer-question',
    text: ANSWER,
    values: [uid, quizId, questionUuid, answer, outboxTrace()],
  };
}

/**
 * Stores an answer. In a drill the first answer is final: after it, any other returns that one
 * (`answer`) and its result.
 * In a practice test an answer may be changed until hand-in, and nothing is told before.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed`, `question_not_in_quiz`, `answer_not_an_option`,
 *   `account_disabled`
 */
export async function answerQuestion(db: Database, given: GivenAnswer): Promise<AnswerOutcome> {
  const { rows } = await db.query<AnswerRow>(answerStatement(given));
  const row = rows[0];
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
  quiz_state: string;
  overdue: boolean;
  asked: boolean;
}

/** Looks closer at an answer that found nothing to answer. */
async function whyRefused(db: Database, given: GivenAnswer): Promise<AppError> {
  const { rows } = await db.query<Refused>(
    `select account.state as account_state, quiz.state as quiz_state, ${IS_OVERDUE} as overdue,
            exists (select from quiz_question join question on question.id = question_id
                    where quiz_id = quiz.id and question.uuid = $3) as asked
     from quiz join account on account.id = quiz.account_id
     where quiz.id = $1 and account.uid = $2`,
    [given.quizId, given.uid, given.questionUuid],
  );
  const found = rows[0];
  if (!found) return new AppError('quiz_not_found');
  if (found.account_state !== 'active') return new AppError('account_disabled');
  if (found.overdue) await handInIfOverdue(db, given.quizId);
  if (found.overdue || found.quiz_state !== 'open') return new AppError('quiz_closed');
  if (!found.asked) {
    return new AppError('question_not_in_quiz', { details: { field: 'question_id' } });
  }
  return new AppError('answer_not_an_option', { details: { field: 'answer' } });
}
