import { AsyncLocalStorage } from 'node:async_hooks';
import { refuseEndedSession } from '#accounts/sessions.ts';
import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { handInIfOverdue, IN_TIME, IS_OVERDUE } from './hand-in.ts';
import type { QuizKind } from './quiz.ts';
import { isRight, SHOWN_DISTRACTORS, SHOWN_KEY } from './shown-question.ts';

/**
 * What is told of an answer: neither the key nor an explanation before they may be known.
 *
 * The score is told after each answer of a drill, also of one without instant feedback, where it says whether
 * the answer was right. The specification has it in this call's answer and in the session (sections 3 and 7);
 * such a drill is for practising without a pause, not a test, and our screen does not show it before the end.
 */
interface AnswerOutcome {
  /** Right answers so far; null in a practice test. */
  score: number | null;
  correct: boolean | null;
  /** The answer that stands, where one had been given before. */
  answer?: string;
  correct_answer?: string;
  explanation?: string | null;
  source_url?: string | null;
}

interface GivenAnswer {
  /** The identity provider's id of the learner. */
  uid: string;
  /** When they last proved who they are, in milliseconds since 1970. */
  signedInAt: number;
  quizId: string;
  questionUuid: string;
  answer: string;
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
  const row = await storeInBatch(db, given);
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

/**
 * Stores an answer, together with others that came while the ones before were on their way: they
 * share a statement and a commit, which is most of what an answer costs. One that comes alone goes at
 * once.
 *
 * @returns undefined when it found nothing to answer
 */
function storeInBatch(db: Database, given: GivenAnswer): Promise<AnswerRow | undefined> {
  let batcher = batchers.get(db);
  if (!batcher) batchers.set(db, (batcher = new AnswerBatcher(db)));
  return batcher.store({ ...given, trace: outboxTrace() });
}

const batchers = new WeakMap<Database, AnswerBatcher>();
/** With two, one is prepared while the other is committed; with more, fewer share one. */
const MAX_STATEMENTS = 2;
/** A statement that takes longer hangs, on a lock or a dead connection: no batch waits for it any more. */
const STATEMENT_TIMEOUT_MS = 1_000;
/** Answers of a batch. So many are sent all the same: a database that hangs must not make them wait in turn. */
const MAX_BATCH = 50;
/** A value that PostgreSQL refuses, a constraint, a deadlock: not a database that is away. */
const FAULT_OF_ONE = /^(22|23|40)/;

interface Waiting {
  answer: TracedAnswer;
  resolve: (row: AnswerRow | undefined) => void;
  reject: (error: unknown) => void;
  /** Does something for its request, also when another's has made place for it. */
  forRequest: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

/** Group commit: answers that wait share a statement. */
class AnswerBatcher {
  readonly #db: Database;
  #waiting: Waiting[] = [];
  #statements = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  store(answer: TracedAnswer): Promise<AnswerRow | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answer, resolve, reject, forRequest: AsyncLocalStorage.snapshot() });
      this.#flush();
    });
  }

  #flush(): void {
    const isFull = this.#waiting.length >= MAX_BATCH;
    if (this.#waiting.length === 0 || (this.#statements >= MAX_STATEMENTS && !isFull)) return;
    this.#statements += 1;
    const batch = this.#takeBatch();
    const stored = batch[0]!.forRequest(() => this.#storeBatch(batch));
    void tryWithTimeout(STATEMENT_TIMEOUT_MS, stored).then(() => {
      this.#statements -= 1;
      this.#flush();
    });
  }

  /** The first that wait, but of each quiz only one. */
  #takeBatch(): Waiting[] {
    const quizzes = new Set<string>();
    const next: Waiting[] = [];
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const quiz = waiting.answer.quizId.toLowerCase();
      (next.length < MAX_BATCH && !quizzes.has(quiz) ? next : later).push(waiting);
      quizzes.add(quiz);
    }
    this.#waiting = later;
    return next;
  }

  /** Never waits for a quiz that another call is changing: the batch would wait with it. */
  async #storeBatch(together: Waiting[]): Promise<void> {
    try {
      const rows = await storeAnswers(
        this.#db,
        together.map(({ answer }) => answer),
      );
      for (const [index, waiting] of together.entries()) {
        const row = rows[index];
        if (row) waiting.resolve(row);
        else void this.#storeAlone(waiting);
      }
    } catch (error) {
      // What one of them did must not hit the others. Storing an answer again is harmless.
      const isAnswers =
        together.length > 1 && FAULT_OF_ONE.test(String((error as { code?: unknown }).code));
      for (const waiting of together) {
        if (isAnswers) void this.#storeAlone(waiting);
        else waiting.reject(error);
      }
    }
  }

  async #storeAlone({ answer, resolve, reject, forRequest }: Waiting): Promise<void> {
    const stored = forRequest(() => storeAnswers(this.#db, [answer], true));
    await stored.then(([row]) => resolve(row), reject);
  }
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

/** An answer with what its event remembers of its request. */
interface TracedAnswer extends GivenAnswer {
  trace: string | null;
}

/**
 * Stores answers, at most one for each quiz.
 *
 * @returns what became of each, in their order; undefined for one that found nothing to answer
 */
async function storeAnswers(
  db: Database,
  answers: readonly TracedAnswer[],
  waits = false,
): Promise<(AnswerRow | undefined)[]> {
  const { rows } = await db.query<AnswerRow & { place: number }>(storeStatement(answers, waits));
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return answers.map((_, index) => byPlace.get(index + 1));
}

/**
 * The statement of answers to different quizzes; the benchmarks run it by itself too.
 *
 * @param waits whether for a quiz that another call is changing; else that one's answer is left out
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
