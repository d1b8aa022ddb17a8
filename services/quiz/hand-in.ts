import type { Transaction } from '#database/pool.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './grading.ts';
import { regradeUntold } from './regrade-quizzes.ts';

/**
 * Ends those of the quizzes that are still open, settles their scores and tells of them. Unanswered
 * questions count as wrong; the answers of a practice test become final here, and are told of now.
 * A test whose time is up ended at its deadline, whoever hands it in and when.
 *
 * Whoever comes second waits for the first, and finds nothing open.
 *
 * @returns how many it ended
 */
export async function handIn(tx: Transaction, quizIds: string[]): Promise<number> {
  // Waits for answers on their way (they hold a share lock), so that the score has them all. In the
  // order of the ids, as everybody who locks several.
  const { rows } = await tx.query<{ id: string; kind: string }>({
    name: 'end-quizzes',
    text: `with open as (
             select id from quiz where id = any ($1::uuid[]) and state = 'open'
             order by id for update)
           update quiz set state = 'ended', ended_at = least(now(), deadline_at), score = 0
           from open where quiz.id = open.id returning quiz.id, kind`,
    values: [quizIds],
  });
  if (rows.length === 0) return 0;
  const ended = rows.map((quiz) => quiz.id);
  const tests = rows.filter((quiz) => quiz.kind === 'practice_test').map((quiz) => quiz.id);
  if (tests.length > 0) await regradeUntold(tx, tests);
  await settleScores(tx, ended);
  if (tests.length > 0) await emitAnswers(tx, tests);
  await emitEnds(tx, ended);
  return rows.length;
}

async function settleScores(tx: Transaction, quizIds: string[]): Promise<void> {
  // An answer that was stored while a key was corrected counts here as it will be graded.
  await tx.query({
    name: 'settle-scores',
    text: `update quiz set score = (
             select count(*) from quiz_question
             join quiz_answer using (quiz_id, question_id)
             left join ${CORRECTED_VERSION}
             where quiz_id = quiz.id and counted
               and case when old.version is null then correct else ${IS_RIGHT_NOW} end)
           where id = any ($1::uuid[])`,
    values: [quizIds],
  });
}

// One statement for many, where `emit` would be a call for each. Payloads: see the catalogue.
async function emitAnswers(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query({
    name: 'emit-answers',
    text: `insert into outbox (name, payload, trace)
           select 'answer.submitted', jsonb_build_object(
             'quiz_id', quiz_id, 'question_id', question_id, 'correct', correct), $2::jsonb
           from quiz_answer where quiz_id = any ($1::uuid[])`,
    values: [quizIds, outboxTrace()],
  });
}

async function emitEnds(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query({
    name: 'emit-ends',
    text: `insert into outbox (name, payload, trace)
           select 'quiz.ended', jsonb_build_object('quiz_id', id), $2::jsonb
           from unnest($1::uuid[]) as ended (id)`,
    values: [quizIds, outboxTrace()],
  });
}
