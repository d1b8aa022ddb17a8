import type { Database } from '#database/pool.ts';
import { IN_TIME } from './overdue.ts';
import type { QuizKind } from './quiz.ts';
import { isRight, SHOWN_DISTRACTORS, SHOWN_KEY } from './shown-question.ts';

export interface GivenAnswer {
  /** The identity provider's id of the learner. */
  uid: string;
  /** When they last proved who they are, in milliseconds since 1970. */
  signedInAt: number;
  quizId: string;
  questionUuid: string;
  answer: string;
}

export interface AnswerRow {
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

/** An answer with what its event remembers of its request. */
export interface TracedAnswer extends GivenAnswer {
  trace: string | null;
}

// One statement, hence one round trip and one commit, for answers to different quizzes: who asks,
// whether the quiz is theirs, open and in time, the answer, and its event. The lock makes handing in
// wait for answers on their way, so that an answer is either in the score or refused. Payload of the
// event: see the catalogue.
const storeAnswersSql = (lock: string) => `
  with target as (
    select given.place, given.answer, given.trace, quiz.id as quiz_id, quiz.kind,
           quiz.instant_feedback, shown.question_id, ${SHOWN_KEY} as key, shown.explanation,
           shown.source_url, ${isRight('given.answer')} as correct
    from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::float8[])
      with ordinality as given (uid, quiz_id, question_uuid, answer, trace, signed_in_at, place)
    join account on account.uid = given.uid
    join quiz on quiz.id = given.quiz_id and quiz.account_id = account.id
    join shown_question shown on shown.quiz_id = quiz.id and shown.uuid = given.question_uuid
    where account.state = 'active'
      and (account.tokens_valid_after is null
           or account.tokens_valid_after <= to_timestamp(given.signed_in_at / 1000))
      and quiz.state = 'open' and ${IN_TIME}
      and given.answer = any (shown.answer || ${SHOWN_DISTRACTORS})
    ${lock}
  ), stored as (
    insert into quiz_answer (quiz_id, question_id, answer, correct)
    select quiz_id, question_id, answer, correct from target
    on conflict (quiz_id, question_id) do update
      set answer = excluded.answer, correct = excluded.correct, answered_at = now()
      where (select kind from target where target.quiz_id = quiz_answer.quiz_id) = 'practice_test'
    returning quiz_id, question_id
  ), event as (
    insert into outbox (name, payload, trace)
    select 'answer.submitted', jsonb_build_object(
      'quiz_id', quiz_id, 'question_id', question_id, 'correct', correct), trace
    from target join stored using (quiz_id, question_id) where kind = 'drill'
  )
  select target.place, target.kind, target.instant_feedback, target.key, target.explanation,
         target.source_url, target.correct, stored.question_id is not null as stored,
         (select count(*)::int from quiz_answer
          where quiz_id = target.quiz_id and question_id <> target.question_id
            and quiz_answer.correct) as others_correct
  from target left join stored using (quiz_id, question_id)`;

const STORE_WAITING = storeAnswersSql('for share of quiz');
const STORE_UNLOCKED = storeAnswersSql('for share of quiz skip locked');

/**
 * The statement of answers to different quizzes; the benchmarks run it by itself too.
 *
 * @param waits whether for a quiz that somebody is changing; else that one's answer is left out
 */
export function storeStatement(answers: readonly TracedAnswer[], waits = false) {
  const all = <K extends keyof TracedAnswer>(name: K) => answers.map((answer) => answer[name]);
  return {
    name: waits ? 'store-answers-waiting' : 'store-answers',
    text: waits ? STORE_WAITING : STORE_UNLOCKED,
    values: [
      all('uid'),
      all('quizId'),
      all('questionUuid'),
      all('answer'),
      all('trace'),
      all('signedInAt'),
    ],
  };
}

/**
 * Stores answers, at most one for each quiz.
 *
 * @returns what became of each, in their order; undefined for one that found nothing to answer
 */
export async function storeAnswers(
  db: Database,
  answers: readonly TracedAnswer[],
  waits = false,
): Promise<(AnswerRow | undefined)[]> {
  const { rows } = await db.query<AnswerRow & { place: number }>(storeStatement(answers, waits));
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return answers.map((_, index) => byPlace.get(index + 1));
}
