import { arrayLiteral } from '#database/array-literal.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { type Memory, nextMemory } from './memory.ts';

/** A learner and a question. */
export interface Pair {
  account_id: string;
  question_id: number;
}

/** SQL: the number of days from 1970-01-01 to the day of a timestamp in Europe/Oslo. */
export const dayOf = (timestamp: string) =>
  `((${timestamp} at time zone 'Europe/Oslo')::date - date '1970-01-01')`;

/**
 * SQL over `quiz`: whether the learner was shown the results of its answers. The answers of an open practice
 * test, and of a drill without instant feedback before its end, teach nothing yet.
 */
export const IS_SHOWN = `(quiz.state = 'ended' or quiz.instant_feedback)`;

interface AnswerRow extends Pair {
  /** ISO text with microseconds, which a Date would lose. */
  answered_at: string;
  day: number;
  correct: boolean;
  shown_ms: number | null;
}

interface LearnerQuestion extends Pair, Memory {
  times_shown: number;
  times_right: number;
  first_correct: boolean;
  last_correct: boolean;
  last_answered_at: string;
  dueDay: number;
  /** Of the stored row; null when there is none. */
  revision: number | null;
}

const ANSWER_COLUMNS = `quiz.account_id, quiz_answer.question_id,
  quiz_answer.answered_at::text as answered_at, ${dayOf('quiz_answer.answered_at')} as day,
  quiz_answer.correct, quiz_answer.shown_ms`;

// The lateral join makes PostgreSQL find each row by its whole key. Otherwise it may estimate that all rows of
// the account cost the same.
const READ_ANSWERS = `
  select ${ANSWER_COLUMNS}, known.stability, known.difficulty,
         ${dayOf('known.last_answered_at')} as last_day, known.revision,
         quiz_answer.answered_at > known.last_answered_at as is_newer
  from unnest($1::uuid[], $2::bigint[]) as given (quiz_id, question_id)
  join quiz_answer using (quiz_id, question_id)
  join quiz on quiz.id = given.quiz_id and ${IS_SHOWN}
  left join lateral (
    select * from learner_question
    where account_id = quiz.account_id and question_id = given.question_id limit 1) known on true`;

/** An answer and what was remembered before it; null when it is the first one to the question. */
interface ReadRow extends AnswerRow {
  stability: number | null;
  difficulty: number | null;
  last_day: number | null;
  revision: number | null;
  is_newer: boolean | null;
}

/**
 * Updates what learners remember by these answers. An answer that is newer than all before it is one step of
 * FSRS. Any other pair (an answer that comes late or twice, two answers in one call, a row that another
 * worker wrote meanwhile) is recomputed from all its answers. So any order of calls, and repeated calls,
 * end with the same rows as `rebuildAccount`.
 *
 * Answers whose results the learner was not shown yet are left out: call it again when their quiz ends.
 *
 * @param meanwhile other statements of the transaction. PostgreSQL runs them while this process computes.
 */
export async function recordAnswers(
  tx: Transaction,
  answers: readonly { quiz_id: string; question_id: number }[],
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  if (answers.length === 0) return meanwhile();
  const { rows } = await tx.query<ReadRow>({
    name: 'learn-read',
    text: READ_ANSWERS,
    values: [
      arrayLiteral(answers.map(({ quiz_id }) => quiz_id)),
      arrayLiteral(answers.map(({ question_id }) => question_id)),
    ],
  });
  const steps = new Map<string, ReadRow>();
  const late: Pair[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    if (row.is_newer === false || steps.has(key)) late.push(row);
    else steps.set(key, row);
  }
  for (const pair of late) steps.delete(keyOf(pair));
  const other = meanwhile();
  let after: Step[];
  try {
    after = [...steps.values()].map(stepAfter);
  } finally {
    // Also after an error: a statement of the transaction must not be sent once it is rolled back.
    await other;
  }
  const isWritten = await writeSteps(tx, after);
  await recomputePairs(tx, isWritten ? late : rows);
}

const keyOf = ({ account_id, question_id }: Pair) => `${account_id} ${question_id}`;

const memoryAfter = (before: (Memory & { day: number }) | null, row: AnswerRow) =>
  nextMemory(before, { day: row.day, correct: row.correct, shownMs: row.shown_ms });

/** An answer, and the memory after it. */
type Step = ReadRow & { after: ReturnType<typeof nextMemory> };

function stepAfter(row: ReadRow): Step {
  const { stability, difficulty, last_day } = row;
  const isFirst = stability === null || difficulty === null || last_day === null;
  const before = isFirst ? null : { stability, difficulty, day: last_day };
  return { ...row, after: memoryAfter(before, row) };
}

// A row that another transaction wrote since it was read is left as it is.
const WRITE_STEPS = `
  with given as materialized (
    select * from unnest($1::uuid[], $2::bigint[], $3::boolean[], $4::timestamptz[], $5::float8[],
                         $6::float8[], $7::int[], $8::int[])
      as given (account_id, question_id, correct, answered_at, stability, difficulty, due_day, revision)
  ), inserted as (
    insert into learner_question
      (account_id, question_id, times_shown, times_right, first_correct, last_correct,
       last_answered_at, stability, difficulty, due_on)
    select account_id, question_id, 1, correct::int, correct, correct, answered_at, stability,
           difficulty, date '1970-01-01' + due_day
    from given where revision is null order by account_id, question_id
    on conflict (account_id, question_id) do nothing
    returning true
  ), updated as (
    update learner_question known
    set times_shown = known.times_shown + 1, times_right = known.times_right + given.correct::int,
        last_correct = given.correct, last_answered_at = given.answered_at,
        stability = given.stability, difficulty = given.difficulty,
        due_on = date '1970-01-01' + given.due_day, revision = known.revision + 1
    from given
    where known.account_id = given.account_id and known.question_id = given.question_id
      and known.revision = given.revision
    returning true
  )
  select (select count(*) from inserted) + (select count(*) from updated) as written`;

/** @returns false when another transaction wrote some of the rows since they were read */
async function writeSteps(tx: Transaction, steps: readonly Step[]): Promise<boolean> {
  if (steps.length === 0) return true;
  const { rows } = await tx.query<{ written: number }>({
    name: 'learn-write-steps',
    text: WRITE_STEPS,
    values: [
      arrayLiteral(steps.map(({ account_id }) => account_id)),
      arrayLiteral(steps.map(({ question_id }) => question_id)),
      arrayLiteral(steps.map(({ correct }) => correct)),
      arrayLiteral(steps.map(({ answered_at }) => answered_at)),
      arrayLiteral(steps.map(({ after }) => after.stability)),
      arrayLiteral(steps.map(({ after }) => after.difficulty)),
      arrayLiteral(steps.map(({ after }) => after.dueDay)),
      arrayLiteral(steps.map(({ revision }) => revision)),
    ],
  });
  return rows[0]!.written === steps.length;
}

const READ_PAIRS = `
  select ${ANSWER_COLUMNS}, known.revision
  from unnest($1::uuid[], $2::bigint[]) as given (account_id, question_id)
  join quiz on quiz.account_id = given.account_id and ${IS_SHOWN}
  join quiz_answer on quiz_answer.quiz_id = quiz.id
    and quiz_answer.question_id = given.question_id
  left join learner_question known
    on known.account_id = given.account_id and known.question_id = given.question_id
  order by quiz_answer.answered_at, quiz.id`;

/**
 * Computes pairs from all their answers. A pair whose row exists is locked first, so no other worker's step
 * is lost: the answers that are read are at least those of the row.
 */
export async function recomputePairs(tx: Transaction, pairs: readonly Pair[]): Promise<void> {
  let left = [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
  // A pair whose row is inserted by another transaction between the lock and our insert is left over once.
  while (left.length > 0) {
    const ids = [
      left.map(({ account_id }) => account_id),
      left.map(({ question_id }) => question_id),
    ];
    await tx.query(
      `select from learner_question
       where (account_id, question_id) in (select * from unnest($1::uuid[], $2::bigint[]))
       order by account_id, question_id for update`,
      ids,
    );
    const { rows } = await tx.query<AnswerRow & { revision: number | null }>({
      name: 'learn-read-pairs',
      text: READ_PAIRS,
      values: ids,
    });
    const replayed = [...Map.groupBy(rows, keyOf).values()].map((answers) =>
      replay(answers, answers[0]!.revision),
    );
    left = await writeReplayed(tx, replayed);
  }
}

/** The pair after all its answers, which are in the order of their times. */
function replay(answers: readonly AnswerRow[], revision: number | null): LearnerQuestion {
  let memory: ReturnType<typeof nextMemory> | null = null;
  for (const answer of answers) memory = memoryAfter(memory, answer);
  const [first, last] = [answers[0]!, answers.at(-1)!];
  return {
    account_id: first.account_id,
    question_id: first.question_id,
    ...memory!,
    times_shown: answers.length,
    times_right: answers.filter(({ correct }) => correct).length,
    first_correct: first.correct,
    last_correct: last.correct,
    last_answered_at: last.answered_at,
    revision,
  };
}

// What another transaction wrote since it was read is left as it is, and named in the result.
const WRITE_REPLAYED = `
  with given as materialized (
    select account_id, question_id, times_shown, times_right, first_correct, last_correct,
           last_answered_at, stability, difficulty, date '1970-01-01' + due_day as due_on, revision
    from unnest($1::uuid[], $2::bigint[], $3::int[], $4::int[], $5::boolean[], $6::boolean[],
                $7::timestamptz[], $8::float8[], $9::float8[], $10::int[], $11::int[])
      as given (account_id, question_id, times_shown, times_right, first_correct, last_correct,
                last_answered_at, stability, difficulty, due_day, revision)
  ), inserted as (
    insert into learner_question
      (account_id, question_id, times_shown, times_right, first_correct, last_correct,
       last_answered_at, stability, difficulty, due_on)
    select account_id, question_id, times_shown, times_right, first_correct, last_correct,
           last_answered_at, stability, difficulty, due_on
    from given where revision is null order by account_id, question_id
    on conflict (account_id, question_id) do nothing
    returning account_id, question_id
  ), updated as (
    update learner_question known
    set times_shown = given.times_shown, times_right = given.times_right,
        first_correct = given.first_correct, last_correct = given.last_correct,
        last_answered_at = given.last_answered_at, stability = given.stability,
        difficulty = given.difficulty, due_on = given.due_on, revision = known.revision + 1
    from given
    where known.account_id = given.account_id and known.question_id = given.question_id
      and known.revision = given.revision
    returning known.account_id, known.question_id
  )
  select account_id, question_id from given
  where (account_id, question_id) not in (select * from inserted union all select * from updated)`;

/** @returns the pairs that another transaction wrote since they were read */
async function writeReplayed(
  tx: Transaction,
  replayed: readonly LearnerQuestion[],
): Promise<Pair[]> {
  if (replayed.length === 0) return [];
  const all = (name: Exclude<keyof LearnerQuestion, 'day'>) =>
    arrayLiteral(replayed.map((row) => row[name]));
  const { rows } = await tx.query<Pair>({
    name: 'learn-write',
    text: WRITE_REPLAYED,
    values: [
      all('account_id'),
      all('question_id'),
      all('times_shown'),
      all('times_right'),
      all('first_correct'),
      all('last_correct'),
      all('last_answered_at'),
      all('stability'),
      all('difficulty'),
      all('dueDay'),
      all('revision'),
    ],
  });
  return rows;
}

const READ_ACCOUNT = `
  select ${ANSWER_COLUMNS}, known.times_shown, known.times_right, known.first_correct,
         known.stability, known.difficulty, known.last_answered_at::text as last_answered_at,
         known.revision
  from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
  left join learner_question known
    on known.account_id = quiz.account_id and known.question_id = quiz_answer.question_id
  where quiz.account_id = $1 and ${IS_SHOWN}
  order by quiz_answer.answered_at, quiz.id`;

/** An answer, and the stored row of its pair, whose columns are null when there is none. */
type AccountRow = AnswerRow & {
  [
    K in
      | 'times_shown'
      | 'times_right'
      | 'first_correct'
      | 'stability'
      | 'difficulty'
      | 'last_answered_at'
      | 'revision'
  ]: LearnerQuestion[K] | null;
};

/**
 * Computes everything that an account remembers from its answers, and writes the rows that differ.
 *
 * @returns how many rows differed
 */
export async function rebuildAccount(db: Database, accountId: string): Promise<number> {
  const { rows } = await db.query<AccountRow>({
    name: 'learn-read-account',
    text: READ_ACCOUNT,
    values: [accountId],
  });
  const changed = [...Map.groupBy(rows, keyOf).values()].flatMap((answers) => {
    const replayed = replay(answers, answers[0]!.revision);
    return isSame(replayed, answers[0]!) ? [] : [replayed];
  });
  if (changed.length > 0) {
    await withTransaction(db, async (tx) => {
      await recomputePairs(tx, await writeReplayed(tx, changed));
    });
  }
  return changed.length;
}

const isSame = (replayed: LearnerQuestion, stored: AccountRow) =>
  replayed.times_shown === stored.times_shown &&
  replayed.times_right === stored.times_right &&
  replayed.first_correct === stored.first_correct &&
  replayed.stability === stored.stability &&
  replayed.difficulty === stored.difficulty &&
  replayed.last_answered_at === stored.last_answered_at;
