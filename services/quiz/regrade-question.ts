import {
  withTransaction,
  type Database,
  type Queryable,
  type Transaction,
} from '#database/pool.ts';
import { updateQuality } from '#statistics/update-quality.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { regradeAnswers, settleScores } from './regrade-quizzes.ts';

/** Ids that are read at once, and quizzes in one transaction: it holds up their learners. */
const LISTED = 20_000;
const AT_A_TIME = 100;

/** Notes that the quizzes which showed a question must be regraded. Returns the regrade's id. */
export async function requestRegrade(tx: Transaction, questionId: number): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    'insert into regrade (question_id) values ($1) returning id',
    [questionId],
  );
  return rows[0]!.id;
}

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
    const part = { after: listed.after, quizIds: listed.quizIds.slice(0, AT_A_TIME) };
    const isOurs = await withTransaction(db, (tx) => regradePart(tx, regradeId, part));
    const left = listed.quizIds.slice(AT_A_TIME);
    listed =
      isOurs && left.length > 0
        ? { after: part.quizIds.at(-1)!, quizIds: left }
        : await listQuizzes(db, regradeId);
  }
}

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
     order by quiz_question.quiz_id limit ${LISTED}`,
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
