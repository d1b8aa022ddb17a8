import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { type LockedQuestion, lockQuestion } from '#questions/edit-question.ts';
import { updateQuality } from '#statistics/count-answers.ts';
import {
  measuredOf,
  moveAnswers,
  negated,
  type RegradedAnswer,
  sumsOfQuizzes,
} from '#statistics/measure-quizzes.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './shown-question.ts';

interface KeyCorrection {
  /** The question's id or uuid. */
  question: number | string;
  /** The version that the administrator looked at. */
  version: number;
  /** The new key: one of the distractors. */
  answer: string;
  actor: Actor;
}

type QuestionRow = Pick<LockedQuestion, 'id' | 'version' | 'answer' | 'incorrect'>;

/**
 * Makes a distractor the key, and the key a distractor in its place: which distractors a practice
 * test shows stays as it was. What the question was is kept as a version whose key was wrong, and the
 * quizzes that showed it are regraded in the background.
 *
 * @returns the question as it is now, the regrade's id, and how many quizzes it is about
 * @throws AppError `question_not_found`, `question_changed` when it has another version by now,
 *   `answer_not_an_option`
 */
export async function correctKey(db: Database, correction: KeyCorrection) {
  const { version, answer, actor } = correction;
  return withTransaction(db, async (tx) => {
    const question = await lockQuestion(tx, correction.question);
    if (question.version !== version) {
      throw new AppError('question_changed', { details: { version: question.version } });
    }
    if (!question.incorrect.includes(answer)) {
      throw new AppError('answer_not_an_option', { details: { field: 'answer' } });
    }
    await keepVersions(tx, question, answer, actor);
    const corrected = await swapKey(tx, question.id, answer);
    await recordAction(tx, {
      actor,
      action: 'question.key_corrected',
      subject: String(question.id),
      details: { version: corrected.version, before: question.answer, after: answer },
    });
    const regradeId = await requestRegrade(tx, question.id);
    await emit(tx, 'question.key_corrected', { question_id: question.id, regrade_id: regradeId });
    const quizzes = await countAffected(tx, question.id);
    return { ...corrected, quizzes, regrade_id: regradeId };
  });
}

/** Keeps the version as one with a wrong key, and marks those before it that had the same fault. */
async function keepVersions(
  tx: Transaction,
  question: QuestionRow,
  answer: string,
  actor: Actor,
): Promise<void> {
  await tx.query(
    `update question_version set corrected = true, corrected_answer = $2
     where question_id = $1
       and case when corrected then corrected_answer else answer end = $3
       and (answer || incorrect) @> $4::text[] and (answer || incorrect) <@ $4::text[]`,
    [question.id, answer, question.answer, [question.answer, ...question.incorrect]],
  );
  await tx.query(
    `insert into question_version
       (question_id, version, language, topic, question, answer, incorrect, explanation, source_url,
        checked_at, corrected, corrected_answer, replaced_by)
     select id, version, language, topic, question, answer, incorrect, explanation, source_url,
            checked_at, true, $2, $3
     from question where id = $1`,
    [question.id, answer, nameOf(actor)],
  );
}

async function swapKey(tx: Transaction, id: number, answer: string): Promise<QuestionRow> {
  const { rows } = await tx.query<QuestionRow>(
    `update question
     set answer = $2, incorrect = array_replace(incorrect, $2, answer), version = version + 1
     where id = $1 returning id, version, answer, incorrect`,
    [id, answer],
  );
  return rows[0]!;
}

/** Notes that the quizzes which showed a question must be regraded. Returns the regrade's id. */
async function requestRegrade(tx: Transaction, questionId: number): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into regrade (question_id) values ($1) returning id',
    [questionId],
  );
  return rows[0]!.id;
}

async function countAffected(tx: Transaction, id: number): Promise<number> {
  const { rows } = await tx.query<{ quizzes: number }>(
    `select count(*)::int as quizzes
     from quiz_question asked join question_version old
       on old.question_id = asked.question_id and old.version = asked.version and old.corrected
     where asked.question_id = $1`,
    [id],
  );
  return rows[0]!.quizzes;
}

/** Quizzes in one transaction, which holds up their learners. */
const BATCH = 100;

/**
 * Regrades the quizzes that showed a question in a version whose key was corrected, a part at a
 * time. Each part is a transaction that notes how far it came: whoever takes up a killed worker's
 * regrade goes on from there.
 *
 * A quiz that is started meanwhile may come too late to be listed; it has no answers yet, and those
 * that it gets are graded by the corrected key.
 */
export async function regradeQuestion(db: Database, regradeId: string): Promise<void> {
  let listed = await listQuizzes(db, regradeId);
  while (listed.quizIds.length > 0) {
    const part = { after: listed.after, quizIds: listed.quizIds.slice(0, BATCH) };
    const isOurs = await withTransaction(db, (tx) => regradePart(tx, regradeId, part));
    const left = listed.quizIds.slice(BATCH);
    listed =
      isOurs && left.length > 0
        ? { after: part.quizIds.at(-1)!, quizIds: left }
        : await listQuizzes(db, regradeId);
  }
}

/** Ids that are read at once. */
const MAX_LISTED = 20_000;

interface Part {
  /** The last quiz that is done; null before the first. */
  after: string | null;
  /** Those that come after it, in order. */
  quizIds: string[];
}

async function listQuizzes(db: Queryable, regradeId: string): Promise<Part> {
  const { rows } = await db.query<{ after: string | null; quiz_id: string }>(
    `select last_quiz_id as after, quiz_question.quiz_id
     from regrade
     join quiz_question on quiz_question.question_id = regrade.question_id
     join question_version old on old.question_id = quiz_question.question_id
       and old.version = quiz_question.version and old.corrected
     where regrade.id = $1 and regrade.completed_at is null
       and (last_quiz_id is null or quiz_question.quiz_id > last_quiz_id)
     order by quiz_question.quiz_id limit ${MAX_LISTED}`,
    [regradeId],
  );
  return { after: rows[0]?.after ?? null, quizIds: rows.map((row) => row.quiz_id) };
}

/** Regrades the quizzes after the last one. Returns false when another worker has come further. */
async function regradePart(
  tx: Transaction,
  regradeId: string,
  { after, quizIds }: Part,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update regrade set last_quiz_id = $2, quizzes = quizzes + $3
     where id = $1 and completed_at is null and last_quiz_id is not distinct from $4`,
    [regradeId, quizIds.at(-1), quizIds.length, after],
  );
  if (rowCount === 0) return false;
  await regradeAnswers(tx, quizIds);
  const changed = await settleScores(tx, quizIds);
  await tx.query(
    `insert into regraded_quiz (regrade_id, quiz_id, score_before, score_after)
     select $1, * from unnest($2::uuid[], $3::int[], $4::int[])`,
    [
      regradeId,
      changed.map((quiz) => quiz.quiz_id),
      changed.map((quiz) => quiz.before),
      changed.map((quiz) => quiz.after),
    ],
  );
  return true;
}

interface ChangedScore {
  quiz_id: string;
  before: number;
  after: number;
}

/** Makes the scores of ended quizzes what their answers say, and tells which changed. */
async function settleScores(tx: Transaction, quizIds: string[]): Promise<ChangedScore[]> {
  const { rows } = await tx.query<ChangedScore>(
    `with counted as (
       select quiz.id, quiz.score, count(*) filter (where correct and counted)::int as score_now
       from quiz
       left join quiz_answer on quiz_answer.quiz_id = quiz.id
       left join quiz_question on quiz_question.quiz_id = quiz.id
         and quiz_question.question_id = quiz_answer.question_id
       where quiz.id = any ($1::uuid[]) and quiz.state = 'ended'
       group by quiz.id)
     update quiz set score = counted.score_now, regraded_at = clock_timestamp()
     from counted where quiz.id = counted.id and counted.score <> counted.score_now
     returning quiz.id as quiz_id, counted.score as before, quiz.score as after`,
    [quizIds],
  );
  return rows;
}

/**
 * Ends a regrade: each learner whose result changed gets one event, however many of their quizzes it
 * was. Ending it again does nothing.
 */
export async function completeRegrade(tx: Transaction, regradeId: string): Promise<void> {
  const { rows } = await tx.query<{ question_id: number }>(
    `update regrade set completed_at = clock_timestamp()
     where id = $1 and completed_at is null returning question_id`,
    [regradeId],
  );
  if (rows.length === 0) return;
  await updateQuality(tx, [rows[0]!.question_id]);
  // Payload: see the catalogue. One statement: it may be a hundred thousand.
  await tx.query(
    `insert into outbox (name, payload, trace)
     select 'result.regraded',
            jsonb_build_object('regrade_id', $1::uuid, 'account_id', account_id), $2::jsonb
     from (select distinct quiz.account_id
           from regraded_quiz join quiz on quiz.id = regraded_quiz.quiz_id
           where regraded_quiz.regrade_id = $1) told`,
    [regradeId, outboxTrace()],
  );
}

export interface RegradedResult {
  topic: string;
  ended_at: Date;
  score_before: number;
  score_after: number;
  total: number;
  /** Null for a drill. */
  pass_mark: number | null;
}

/** The results of an account that a regrade changed, the oldest first. */
export async function listRegradedResults(
  db: Queryable,
  regradeId: string,
  accountId: string,
): Promise<RegradedResult[]> {
  const { rows } = await db.query<RegradedResult>(
    `select quiz.topic, quiz.ended_at, score_before, score_after, quiz.total,
            coalesce(quiz.pass_mark, exam_profile.pass_mark) as pass_mark
     from regraded_quiz
     join quiz on quiz.id = regraded_quiz.quiz_id
     left join exam_profile on exam_profile.name = quiz.exam
     where regrade_id = $1 and account_id = $2 order by quiz.ended_at`,
    [regradeId, accountId],
  );
  return rows;
}

const WRONGLY_GRADED = `
  from quiz
  join quiz_question on quiz_question.quiz_id = quiz.id
  join quiz_answer on quiz_answer.quiz_id = quiz.id
    and quiz_answer.question_id = quiz_question.question_id
  join ${CORRECTED_VERSION}
  where quiz.id = any ($1::uuid[]) and quiz_answer.correct <> ${IS_RIGHT_NOW}`;

// An answer of a practice test is told of, and counted, when the test is handed in.
const GRADE = `
  with wrong as (
    select quiz_answer.quiz_id, quiz_answer.question_id, quiz_question.version,
           quiz.kind = 'drill' or quiz.state = 'ended' as is_final
    ${WRONGLY_GRADED}
    order by quiz_answer.quiz_id, quiz_answer.question_id for update of quiz_answer
  )
  update quiz_answer set correct = not correct from wrong
  where quiz_answer.quiz_id = wrong.quiz_id and quiz_answer.question_id = wrong.question_id
  returning wrong.quiz_id, wrong.question_id, wrong.version, quiz_answer.correct, is_final`;

/**
 * Grades the answers of practice tests that are being handed in: nothing was told of them yet, so
 * nothing has to be moved.
 */
export async function regradeUntold(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query(GRADE, [quizIds]);
}

/**
 * Grades answers that came in the moment in which a key was corrected: they were graded by the old
 * one, and stored after their quiz had been regraded. The worker that counts an answer comes after both.
 */
export async function regradeLateAnswers(
  tx: Transaction,
  answers: { quiz_id: string; question_id: number }[],
): Promise<void> {
  const { rows } = await tx.query<{ quiz_id: string }>({
    name: 'late-answers',
    text: `select distinct given.quiz_id
           from unnest($1::uuid[], $2::bigint[]) as given (quiz_id, question_id)
           join quiz_question using (quiz_id, question_id)
           join ${CORRECTED_VERSION}
           join quiz_answer on quiz_answer.quiz_id = given.quiz_id
             and quiz_answer.question_id = given.question_id
           join quiz on quiz.id = given.quiz_id
           where quiz_answer.correct <> ${IS_RIGHT_NOW}`,
    values: [answers.map((answer) => answer.quiz_id), answers.map((answer) => answer.question_id)],
  });
  if (rows.length === 0) return;
  await regradeAnswers(
    tx,
    rows.map((row) => row.quiz_id),
  );
}

/**
 * Grades the answers of quizzes by their corrected keys, and brings every figure that came from them
 * to what it would be had the keys been right from the beginning. The scores are left: see
 * `settleScores`. Grading what is graded changes nothing.
 */
async function regradeAnswers(tx: Transaction, quizIds: string[]): Promise<void> {
  // Handing in, measuring and answering wait for it, and it for them.
  await tx.query('select from quiz where id = any ($1::uuid[]) order by id for no key update', [
    quizIds,
  ]);
  const { rows: found } = await tx.query<{ quiz_id: string }>(
    `select distinct quiz_answer.quiz_id ${WRONGLY_GRADED}`,
    [quizIds],
  );
  if (found.length === 0) return;
  const changing = found.map((row) => row.quiz_id);
  const measured = await measuredOf(tx, changing);
  const before = await sumsOfQuizzes(tx, measured);
  const { rows } = await tx.query<RegradedAnswer & { is_final: boolean }>(GRADE, [changing]);
  const after = await sumsOfQuizzes(tx, measured);
  const final = rows.filter((answer) => answer.is_final);
  if (final.length > 0) await moveAnswers(tx, final, [...negated(before), ...after]);
}
