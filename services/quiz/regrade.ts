import { type Actor, nameOf } from '#audit/actor.ts';
import { arrayLiteral } from '#database/array-literal.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { type Pair, recomputePairs } from '#learning/record-answers.ts';
import { ARCHIVE_COLUMNS } from '#questions/bank-question.ts';
import { type LockedQuestion, lockQuestion } from '#questions/edit-question.ts';
import { recordQuestionAction } from '#questions/record-question-action.ts';
import { updateQuality } from '#statistics/count-answers.ts';
import {
  findMeasured,
  moveRegradedAnswers,
  negate,
  type RegradedAnswer,
  sumQuizzes,
} from '#statistics/measure-quizzes.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './shown-question.ts';

interface KeyCorrection {
  /** The question's id or uuid. */
  question: number | string;
  /** The version that the administrator saw. */
  version: number;
  /** The new key: one of the distractors. */
  answer: string;
  actor: Actor;
}

type QuestionRow = Pick<LockedQuestion, 'id' | 'version' | 'answer' | 'incorrect'>;

/**
 * Swaps the key of a question with one of its distractors. The old key takes the distractor's place, so
 * a practice test shows the same distractors as before. The old content is kept as a version with a wrong
 * key, and the quizzes that showed it are regraded in the background.
 *
 * @returns the corrected question, the regrade's id, and the number of quizzes to regrade
 * @throws AppError `question_not_found`, `question_changed` when the question has a newer version,
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
    await storeCorrectedVersions(tx, question, answer, actor);
    const corrected = await swapKey(tx, question.id, answer);
    await recordQuestionAction(tx, {
      actor,
      action: 'question.key_corrected',
      subject: String(question.id),
      details: { version: corrected.version, before: question.answer, after: answer },
    });
    const regradeId = await insertRegrade(tx, question.id);
    await emit(tx, 'question.key_corrected', { question_id: question.id, regrade_id: regradeId });
    const quizzes = await countAffectedQuizzes(tx, question.id);
    return { ...corrected, quizzes, regrade_id: regradeId };
  });
}

/** Stores the old version as one with a wrong key, and marks earlier versions with the same wrong key. */
async function storeCorrectedVersions(
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
       (question_id, ${ARCHIVE_COLUMNS}, corrected, corrected_answer, replaced_by)
     select id, ${ARCHIVE_COLUMNS}, true, $2, $3
     from question where id = $1`,
    [question.id, answer, nameOf(actor)],
  );
}

/** The new key's reason for being wrong goes; the old key has none, and takes its place. */
async function swapKey(tx: Transaction, id: number, answer: string): Promise<QuestionRow> {
  const { rows } = await tx.query<QuestionRow>(
    `update question
     set answer = $2, incorrect = array_replace(incorrect, $2, answer), version = version + 1,
         incorrect_reasons = (
           select case when count(reason) > 0 then array_agg(reason order by place) end
           from (select place, case when option <> $2 then reason end as reason
                 from unnest(incorrect, incorrect_reasons) with ordinality
                   as given (option, reason, place)) kept)
     where id = $1 returning id, version, answer, incorrect`,
    [id, answer],
  );
  return rows[0]!;
}

/** Inserts a regrade of the quizzes that showed a question, and returns its id. */
async function insertRegrade(tx: Transaction, questionId: number): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into regrade (question_id) values ($1) returning id',
    [questionId],
  );
  return rows[0]!.id;
}

async function countAffectedQuizzes(tx: Transaction, id: number): Promise<number> {
  const { rows } = await tx.query<{ quizzes: number }>(
    `select count(*)::int as quizzes
     from quiz_question join ${CORRECTED_VERSION}
     where quiz_question.question_id = $1`,
    [id],
  );
  return rows[0]!.quizzes;
}

/** Quizzes in one transaction, which locks them: their learners' answers wait meanwhile. */
const BATCH_SIZE = 100;

/**
 * Regrades the quizzes that showed a question in a version whose key was corrected, in batches. Each
 * batch is one transaction, which also stores the position (`last_quiz_id`): after a worker is killed,
 * another one resumes from there.
 *
 * A quiz that starts meanwhile may be missing from the list. It has no answers yet, and they will be
 * graded by the corrected key.
 *
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
export async function regradeQuestion(
  db: Database,
  regradeId: string,
  signal?: AbortSignal,
): Promise<void> {
  let listed = await listQuizzes(db, regradeId);
  while (listed.quizIds.length > 0) {
    const batch = { after: listed.after, quizIds: listed.quizIds.slice(0, BATCH_SIZE) };
    const isCommitted = await withTransaction(db, (tx) => regradeBatch(tx, regradeId, batch));
    signal?.throwIfAborted();
    const remaining = listed.quizIds.slice(BATCH_SIZE);
    listed =
      isCommitted && remaining.length > 0
        ? { after: batch.quizIds.at(-1)!, quizIds: remaining }
        : await listQuizzes(db, regradeId);
  }
}

/** Quiz ids in memory at a time. */
const MAX_LISTED = 20_000;

interface RegradeBatch {
  /** The last regraded quiz; null before the first. */
  after: string | null;
  /** The quizzes after it, in the order of their ids. */
  quizIds: string[];
}

async function listQuizzes(db: Queryable, regradeId: string): Promise<RegradeBatch> {
  const { rows } = await db.query<{ after: string | null; quiz_id: string }>(
    `select last_quiz_id as after, quiz_question.quiz_id
     from regrade
     join quiz_question on quiz_question.question_id = regrade.question_id
     join ${CORRECTED_VERSION}
     where regrade.id = $1 and regrade.completed_at is null
       and (last_quiz_id is null or quiz_question.quiz_id > last_quiz_id)
     order by quiz_question.quiz_id limit ${MAX_LISTED}`,
    [regradeId],
  );
  return { after: rows[0]?.after ?? null, quizIds: rows.map((row) => row.quiz_id) };
}

/** Regrades a batch. Returns false, and does nothing, when another worker has moved the position. */
async function regradeBatch(
  tx: Transaction,
  regradeId: string,
  { after, quizIds }: RegradeBatch,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update regrade set last_quiz_id = $2, quizzes = quizzes + $3
     where id = $1 and completed_at is null and last_quiz_id is not distinct from $4`,
    [regradeId, quizIds.at(-1), quizIds.length, after],
  );
  if (rowCount === 0) return false;
  await regradeAnswers(tx, quizIds);
  const changed = await updateScores(tx, quizIds);
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

/** Recomputes the scores of ended quizzes from their answers, and returns those that changed. */
async function updateScores(tx: Transaction, quizIds: string[]): Promise<ChangedScore[]> {
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
 * Completes a regrade: emits one event for each learner with a changed result, however many of their
 * quizzes changed. Repeating it does nothing.
 */
export async function completeRegrade(tx: Transaction, regradeId: string): Promise<void> {
  const { rows } = await tx.query<{ question_id: number }>(
    `update regrade set completed_at = clock_timestamp()
     where id = $1 and completed_at is null returning question_id`,
    [regradeId],
  );
  if (rows.length === 0) return;
  await updateQuality(tx, [rows[0]!.question_id]);
  // One statement, because it may be a hundred thousand events. Payload: see services/events/catalogue.ts.
  await tx.query(
    `insert into outbox (name, payload, trace)
     select 'result.regraded',
            jsonb_build_object('regrade_id', $1::uuid, 'account_id', account_id), $2::jsonb
     from (select distinct quiz.account_id
           from regraded_quiz join quiz on quiz.id = regraded_quiz.quiz_id
           where regraded_quiz.regrade_id = $1) affected`,
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

/** The results of an account that a regrade changed, oldest first. */
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

// The answers of a practice test become final, and are reported and counted, when it is handed in.
const REGRADE = `
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
 * Regrades the answers of practice tests that are being handed in. No `answer.submitted` was emitted for
 * them yet, so no statistics have to be moved.
 */
export async function regradeUnreportedAnswers(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query(REGRADE, [quizIds]);
}

/**
 * Regrades answers that raced the correction of a key: they were graded by the old key, and stored after
 * their quiz had been regraded. The worker that counts the answers calls this, after both.
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
    values: [
      arrayLiteral(answers.map((answer) => answer.quiz_id)),
      arrayLiteral(answers.map((answer) => answer.question_id)),
    ],
  });
  if (rows.length === 0) return;
  await regradeAnswers(
    tx,
    rows.map((row) => row.quiz_id),
  );
}

/**
 * Regrades the answers of quizzes by their corrected keys, and updates all statistics to what they would
 * be had the keys been right from the start. It does not change the scores: see `updateScores`. Repeating
 * it changes nothing.
 */
async function regradeAnswers(tx: Transaction, quizIds: string[]): Promise<void> {
  // The lock makes handing in, measuring and answering wait for the regrade, and the regrade for them.
  await tx.query('select from quiz where id = any ($1::uuid[]) order by id for no key update', [
    quizIds,
  ]);
  const { rows: wronglyGraded } = await tx.query<{ quiz_id: string }>(
    `select distinct quiz_answer.quiz_id ${WRONGLY_GRADED}`,
    [quizIds],
  );
  if (wronglyGraded.length === 0) return;
  const changing = wronglyGraded.map((row) => row.quiz_id);
  const measured = await findMeasured(tx, changing);
  const before = await sumQuizzes(tx, measured);
  const { rows } = await tx.query<RegradedAnswer & { quiz_id: string; is_final: boolean }>(
    REGRADE,
    [changing],
  );
  const after = await sumQuizzes(tx, measured);
  const final = rows.filter((answer) => answer.is_final);
  if (final.length === 0) return;
  await moveRegradedAnswers(tx, final, [...negate(before), ...after]);
  await recomputePairs(tx, await pairsOf(tx, final));
}

/** The learner and the question of each answer. */
async function pairsOf(
  tx: Transaction,
  answers: readonly { quiz_id: string; question_id: number }[],
): Promise<Pair[]> {
  const { rows } = await tx.query<Pair>(
    `select account_id, question_id
     from unnest($1::uuid[], $2::bigint[]) as given (quiz_id, question_id)
     join quiz on quiz.id = given.quiz_id`,
    [answers.map(({ quiz_id }) => quiz_id), answers.map(({ question_id }) => question_id)],
  );
  return rows;
}
