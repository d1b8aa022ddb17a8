import { AsyncLocalStorage } from 'node:async_hooks';
import { refuseEndedSession } from '#accounts/sessions.ts';
import type { Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';
import { type Reason, type StoredWhy, toWhy, whyColumns } from '#questions/why.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { handInIfOverdue, IN_TIME, IS_OVERDUE } from './hand-in.ts';
import type { QuizKind } from './quiz.ts';
import { isRight, SHOWN_DISTRACTORS, SHOWN_KEY } from './shown-question.ts';

/**
 * What the learner gets to know about an answer: the key and the explanation only once they may be revealed.
 *
 * A drill returns the score after each answer, also without instant feedback, where the score reveals
 * whether the answer was right. The API is specified so, here and in the session. Such a drill is for
 * practising without interruption and is no test; our screen does not show the score before the end.
 */
interface AnswerOutcome {
  /** Number of right answers so far; null in a practice test. */
  score: number | null;
  correct: boolean | null;
  /** The stored answer, when the question had been answered before. */
  answer?: string;
  correct_answer?: string;
  explanation?: string | null;
  reasons?: Reason[];
  source_url?: string | null;
  source_title?: string | null;
  checked_at?: string | null;
}

interface SubmittedAnswer {
  /** The identity provider's id of the learner. */
  uid: string;
  /** When the learner last signed in, in milliseconds since 1970. */
  signedInAt: number;
  quizId: string;
  questionUuid: string;
  answer: string;
  /** How long the browser showed the question before the answer, in milliseconds. */
  shownMs?: number | undefined;
}

/**
 * Stores an answer. In a drill the first answer is final: a later call returns the first one (`answer`)
 * and its result. In a practice test an answer may be changed until hand-in, and no result is returned.
 *
 * @throws AppError `quiz_not_found`, `quiz_closed`, `question_not_in_quiz`, `answer_not_an_option`,
 *   `account_disabled`, `token_invalid` when the session was revoked
 */
export async function answerQuestion(
  db: Database,
  submitted: SubmittedAnswer,
): Promise<AnswerOutcome> {
  const row = await storeInBatch(db, submitted);
  if (!row) throw await explainRefusal(db, submitted);
  if (row.kind === 'practice_test') return { score: null, correct: null };
  const first = row.stored ? undefined : await readFirstAnswer(db, submitted);
  const correct = first?.correct ?? row.correct;
  const firstAnswer = first && { answer: first.answer };
  const score = row.others_correct + Number(correct);
  if (!row.instant_feedback) return { score, correct: null, ...firstAnswer };
  return {
    score,
    correct,
    ...firstAnswer,
    correct_answer: row.key,
    ...toWhy(
      row,
      [row.shown_answer, ...row.incorrect].filter((option) => option !== row.key),
    ),
  };
}

async function readFirstAnswer(db: Database, submitted: SubmittedAnswer) {
  const { rows } = await db.query<{ correct: boolean; answer: string }>(
    `select correct, quiz_answer.answer from quiz_answer join question on question.id = question_id
     where quiz_id = $1 and question.uuid = $2`,
    [submitted.quizId, submitted.questionUuid],
  );
  return rows[0];
}

interface RefusalRow {
  account_state: string;
  tokens_valid_after: Date | null;
  /** Null when the quiz does not exist or belongs to another account. */
  quiz_state: string | null;
  overdue: boolean;
  in_quiz: boolean;
}

/** The error for an answer that was not stored. */
async function explainRefusal(db: Database, submitted: SubmittedAnswer): Promise<AppError> {
  const { rows } = await db.query<RefusalRow>(
    `select account.state as account_state, tokens_valid_after, quiz.state as quiz_state, ${IS_OVERDUE} as overdue,
            exists (select from quiz_question join question on question.id = question_id
                    where quiz_id = quiz.id and question.uuid = $3) as in_quiz
     from account left join quiz on quiz.id = $1 and quiz.account_id = account.id
     where account.uid = $2`,
    [submitted.quizId, submitted.uid, submitted.questionUuid],
  );
  const row = rows[0];
  if (row && row.account_state !== 'active') return new AppError('account_disabled');
  if (row) refuseEndedSession(row, submitted);
  if (!row || row.quiz_state === null) return new AppError('quiz_not_found');
  if (row.overdue) await handInIfOverdue(db, submitted.quizId);
  if (row.overdue || row.quiz_state !== 'open') return new AppError('quiz_closed');
  if (!row.in_quiz) {
    return new AppError('question_not_in_quiz', { details: { field: 'question_id' } });
  }
  return new AppError('answer_not_an_option', { details: { field: 'answer' } });
}

/**
 * Stores an answer by group commit. Answers that arrive while earlier statements run share the next
 * statement and its commit, which is most of what an answer costs. A single answer is sent at once. See
 * docs/decisions/0019.
 *
 * @returns undefined when there was no open question to answer
 */
function storeInBatch(db: Database, submitted: SubmittedAnswer): Promise<AnswerRow | undefined> {
  let batcher = batchers.get(db);
  if (!batcher) batchers.set(db, (batcher = new AnswerBatcher(db)));
  return batcher.store({ ...submitted, trace: outboxTrace() });
}

const batchers = new WeakMap<Database, AnswerBatcher>();
/** With two, one batch is filled while the other commits; more statements make smaller batches. */
const MAX_STATEMENTS = 2;
/** A slower statement hangs on a lock or a dead connection: later batches stop waiting for it. */
const STATEMENT_TIMEOUT_MS = 1_000;
/**
 * Answers in a batch. A full batch is sent even above `MAX_STATEMENTS`, so that answers do not queue up
 * behind hanging statements.
 */
const MAX_BATCH_SIZE = 50;
/**
 * SQLSTATE classes of errors that a single answer causes: bad value, constraint, deadlock. An unreachable
 * database has others.
 */
const ERROR_OF_ONE_ANSWER = /^(22|23|40)/;

interface PendingAnswer {
  answer: TracedAnswer;
  resolve: (row: AnswerRow | undefined) => void;
  reject: (error: unknown) => void;
  /** Runs a function in the context of its own request: another request may trigger the flush. */
  inRequest: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

/** Group commit: pending answers share a statement. */
class AnswerBatcher {
  readonly #db: Database;
  #pending: PendingAnswer[] = [];
  #statements = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  store(answer: TracedAnswer): Promise<AnswerRow | undefined> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ answer, resolve, reject, inRequest: AsyncLocalStorage.snapshot() });
      this.#flush();
    });
  }

  #flush(): void {
    const isFull = this.#pending.length >= MAX_BATCH_SIZE;
    if (this.#pending.length === 0 || (this.#statements >= MAX_STATEMENTS && !isFull)) return;
    this.#statements += 1;
    const batch = this.#takeBatch();
    const stored = batch[0]!.inRequest(() => this.#storeBatch(batch));
    void tryWithTimeout(STATEMENT_TIMEOUT_MS, stored).then(() => {
      this.#statements -= 1;
      this.#flush();
    });
  }

  /** Takes the oldest pending answers, at most one for each quiz. */
  #takeBatch(): PendingAnswer[] {
    const quizzes = new Set<string>();
    const batch: PendingAnswer[] = [];
    const later: PendingAnswer[] = [];
    for (const pending of this.#pending) {
      const quiz = pending.answer.quizId.toLowerCase();
      (batch.length < MAX_BATCH_SIZE && !quizzes.has(quiz) ? batch : later).push(pending);
      quizzes.add(quiz);
    }
    this.#pending = later;
    return batch;
  }

  /** Skips locked quizzes, so that no batch waits for one quiz; their answers are stored one by one. */
  async #storeBatch(batch: PendingAnswer[]): Promise<void> {
    try {
      const rows = await storeAnswers(
        this.#db,
        batch.map(({ answer }) => answer),
      );
      for (const [index, pending] of batch.entries()) {
        const row = rows[index];
        if (row) pending.resolve(row);
        else void this.#storeAlone(pending);
      }
    } catch (error) {
      // An error of one answer must not fail the others. Storing is idempotent, so each is retried alone.
      const isOfOneAnswer =
        batch.length > 1 && ERROR_OF_ONE_ANSWER.test(String((error as { code?: unknown }).code));
      for (const pending of batch) {
        if (isOfOneAnswer) void this.#storeAlone(pending);
        else pending.reject(error);
      }
    }
  }

  async #storeAlone({ answer, resolve, reject, inRequest }: PendingAnswer): Promise<void> {
    const stored = inRequest(() => storeAnswers(this.#db, [answer], true));
    await stored.then(([row]) => resolve(row), reject);
  }
}

interface AnswerRow extends StoredWhy {
  kind: QuizKind;
  instant_feedback: boolean;
  key: string;
  /** The key when the quiz was drawn. */
  shown_answer: string;
  /** Whether this call's answer is right. */
  correct: boolean;
  /** False when the question had been answered before. */
  stored: boolean;
  /** Right answers to the quiz's other questions. */
  others_correct: number;
}

/** An answer with the trace context for its event. */
interface TracedAnswer extends SubmittedAnswer {
  trace: string | null;
}

/**
 * Stores answers, at most one for each quiz.
 *
 * @returns a row for each answer, in the same order; undefined where there was no open question to answer
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
 * The statement that stores answers to different quizzes; the benchmarks run it too.
 *
 * @param waits whether to wait for a locked quiz; otherwise the answer to that quiz is skipped
 */
export function storeStatement(answers: readonly TracedAnswer[], waits = false) {
  const column = <K extends keyof TracedAnswer>(name: K) => answers.map((answer) => answer[name]);
  return {
    name: waits ? 'store-answers-waiting' : 'store-answers',
    text: waits ? STORE_WAITING : STORE_SKIPPING_LOCKED,
    values: [
      column('uid'),
      column('quizId'),
      column('questionUuid'),
      column('answer'),
      column('trace'),
      column('signedInAt'),
      column('shownMs'),
    ],
  };
}

// One statement, hence one round trip and one commit, for answers to different quizzes. It checks the
// account, and that the quiz belongs to it, is open and in time; it stores the answer and its event. The
// share lock makes handing in wait for answers that are being stored, so that an answer is either in the
// score or refused. Payload of the event: see services/events/catalogue.ts.
const storeAnswersSql = (lock: string) => `
  with target as (
    select given.place, given.answer, given.shown_ms, given.trace, quiz.id as quiz_id, quiz.kind,
           quiz.instant_feedback, shown.question_id, ${SHOWN_KEY} as key,
           shown.answer as shown_answer, shown.incorrect, ${whyColumns('shown')}, ${isRight('given.answer')} as correct
    from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::float8[],
                $7::int[])
      with ordinality
        as given (uid, quiz_id, question_uuid, answer, trace, signed_in_at, shown_ms, place)
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
    insert into quiz_answer (quiz_id, question_id, answer, correct, shown_ms)
    select quiz_id, question_id, answer, correct, shown_ms from target
    on conflict (quiz_id, question_id) do update
      set answer = excluded.answer, correct = excluded.correct, shown_ms = excluded.shown_ms,
        answered_at = now()
      where (select kind from target where target.quiz_id = quiz_answer.quiz_id) = 'practice_test'
    returning quiz_id, question_id
  ), event as (
    insert into outbox (name, payload, trace)
    select 'answer.submitted', jsonb_build_object(
      'quiz_id', quiz_id, 'question_id', question_id, 'correct', correct), trace
    from target join stored using (quiz_id, question_id) where kind = 'drill'
  )
  select target.place, target.kind, target.instant_feedback, target.key, target.shown_answer,
         target.incorrect, ${whyColumns('target')}, target.correct, stored.question_id is not null as stored,
         (select count(*)::int from quiz_answer
          where quiz_id = target.quiz_id and question_id <> target.question_id
            and quiz_answer.correct) as others_correct
  from target left join stored using (quiz_id, question_id)`;

const STORE_WAITING = storeAnswersSql('for share of quiz');
const STORE_SKIPPING_LOCKED = storeAnswersSql('for share of quiz skip locked');
