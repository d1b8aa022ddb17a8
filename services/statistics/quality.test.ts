import type { QualityReason } from '@proveklar/contract/question-quality.ts';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { WAIT } from '@proveklar/tests/support/hang.ts';
import { withTransaction } from '#database/pool.ts';
import { countAnswers } from './count-answers.ts';
import {
  createReviewQueue,
  dismissQuality,
  readReviewQueue,
  summarizeQuality,
} from './review-queue.ts';
import { readItemAnalysis } from './item-analysis.ts';
import { measureQuizzes } from './measure-quizzes.ts';
import { readQuestionStatistics } from './question-statistics.ts';

const database = useTestDatabase();
const actor = 'admin@example.no';
let learner: Awaited<ReturnType<typeof createLearner>>;
let ids: number[];

beforeAll(async () => {
  learner = await createLearner(database.pool);
  await createQuestions(database.pool, { topic: 'Historie', count: 30 });
  const { rows } = await database.pool.query<{ id: number }>('select id from question order by id');
  ids = rows.map((row) => row.id);
});
beforeEach(async () => {
  await emptyTables(
    database.pool,
    'quiz',
    'feedback',
    'quality_dismissal',
    'question_statistics',
    'item_statistics',
    'question_quality',
    'question_version',
  );
  await database.pool.query(
    'update question set version = 1, checked_at = null, ages = null, retired_at = null',
  );
});

/** Inserts an ended drill. An answer is the place of an option (0 is the key), or null for none. */
async function drill(places: (number | null)[], kind = 'drill'): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into quiz (account_id, kind, topic, language, instant_feedback, exam, state, ended_at,
                       score, total)
     values ($1, $2, 'Historie', 'no', true, $3, 'ended', now(), 0, $4) returning id`,
    [learner.id, kind, kind === 'drill' ? null : 'samfunnskunnskap', places.length],
  );
  const quizId = rows[0]!.id;
  await database.pool.query(
    `with asked as (
       insert into quiz_question (quiz_id, question_id, position, version)
       select $1, question.id, place.position, question.version
       from unnest($2::bigint[], $3::int[]) with ordinality as place (id, option, position)
       join question on question.id = place.id
       returning question_id)
     insert into quiz_answer (quiz_id, question_id, answer, correct)
     select $1, question.id, (question.answer || question.incorrect)[place.option + 1],
            place.option = 0
     from unnest($2::bigint[], $3::int[]) as place (id, option)
     join question on question.id = place.id
     where place.option is not null`,
    [quizId, ids.slice(0, places.length), places],
  );
  return quizId;
}

/** Counts the answers of quizzes as the workers do. */
async function count(quizIds: string[]): Promise<void> {
  const { rows } = await database.pool.query(
    'select quiz_id, question_id, correct from quiz_answer where quiz_id = any ($1)',
    [quizIds],
  );
  await withTransaction(database.pool, async (tx) => {
    await countAnswers(tx, rows);
    await measureQuizzes(tx, quizIds);
  });
}

const countDrills = async (...quizzes: (number | null)[][]) => {
  const made = [];
  for (const places of quizzes) made.push(await drill(places));
  await count(made);
};
const repeat = (count: number, places: (number | null)[]) =>
  Array.from({ length: count }, () => places);

describe('item analysis', () => {
  test('counts how often each option was chosen', async () => {
    await countDrills([0], [2], [2], [3], [0]);
    const item = (await readItemAnalysis(database.pool, [ids[0]!])).get(ids[0]!)!;
    expect(item).toMatchObject({ answers: 5, facility: 0.4, quizzes: 0, discrimination: null });
    expect(item.options.map((option) => option.times_chosen)).toEqual([2, 0, 2, 1]);
    expect(item.options[0]).toMatchObject({ is_key: true });
  });

  test('computes the discrimination as the corrected item-total correlation', async () => {
    // The item and four others: the share of right answers in the rest is 1, 1/2, 1/2 and 0.
    await countDrills([0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [1, 0, 1, 0, 1], [1, 1, 1, 1, 1]);
    const item = (await readItemAnalysis(database.pool, [ids[0]!])).get(ids[0]!)!;
    // Pearson of (1, 1, 0, 0) with (1, 1/2, 1/2, 0): covariance 1/8, deviations 1/2 and √(1/8).
    expect(item.quizzes).toBe(4);
    expect(item.discrimination).toBeCloseTo(1 / 8 / (0.5 * Math.sqrt(1 / 8)), 10);
  });

  test('has no discrimination where all answers are right, and ignores short quizzes', async () => {
    await countDrills([0, 0, 0, 0, 0], [0, 1, 1, 1, 1], [1, 0, 0, 0]);
    const item = (await readItemAnalysis(database.pool, [ids[0]!])).get(ids[0]!)!;
    expect(item).toMatchObject({ answers: 3, quizzes: 2, discrimination: null });
  });

  test('counts an unanswered question as wrong in a practice test, and as not seen in a drill', async () => {
    const unanswered = [null, 0, 0, 0, 0, 0];
    await count([await drill(unanswered), await drill(unanswered, 'practice_test')]);
    const { rows } = await database.pool.query(
      'select quizzes, quizzes_right, times_correct from item_statistics where question_id = $1',
      [ids[0]],
    );
    expect(rows).toEqual([{ quizzes: 1, quizzes_right: 0, times_correct: 0 }]);
  });

  test('counts a quiz once, however often its event is delivered', async () => {
    const quiz = await drill([0, 0, 0, 0, 0]);
    await count([quiz]);
    await withTransaction(database.pool, (tx) => measureQuizzes(tx, [quiz, quiz]));
    expect((await readItemAnalysis(database.pool, [ids[0]!])).get(ids[0]!)!.quizzes).toBe(1);
  });

  test('starts over when the options change, and continues after any other edit', async () => {
    await countDrills([0], [1]);
    const edit = async (set: string) => {
      await database.pool.query(
        `insert into question_version (question_id, version, language, topic, question, answer,
                                       incorrect, replaced_by)
         select id, version, language, topic, question, answer, incorrect, 'admin@example.no'
         from question where id = $1`,
        [ids[0]],
      );
      await database.pool.query(`update question set version = version + 1, ${set} where id = $1`, [
        ids[0],
      ]);
    };
    await edit(`explanation = 'Another.'`);
    await countDrills([0]);
    const explained = await readQuestionStatistics(database.pool, ids[0]!);
    expect(explained).toMatchObject({ version: 2, answers: 3, facility: 2 / 3 });
    await edit(`incorrect = array['wrong x', 'wrong y']`);
    const changed = await readQuestionStatistics(database.pool, ids[0]!);
    expect(changed).toMatchObject({ version: 3, answers: 0, facility: null });
    expect(changed.versions).toMatchObject([
      { version: 3, current: true, pooled: true, answers: 0 },
      { version: 2, pooled: false, answers: 1 },
      { version: 1, pooled: false, answers: 2 },
    ]);
    await database.pool.query(
      `update question set incorrect = old.incorrect from question_version old
       where question.id = $1 and old.question_id = $1 and old.version = 1`,
      [ids[0]],
    );
  });
});

describe('the review queue', () => {
  const queue = async (reason?: QualityReason, page = 1) =>
    (await createReviewQueue(database.pool)(reason, page)).items.map(({ id, reasons }) => [
      id,
      reasons,
    ]);
  const totals = async () => (await readReviewQueue(database.pool)).totals;
  const report = (id: number) =>
    database.pool.query(
      `insert into feedback (account_id, question_id, quiz_id, type)
       select account_id, $1, id, 'thumbs_down' from quiz limit 1
       on conflict (account_id, question_id) do update set created_at = clock_timestamp()`,
      [id],
    );
  const checked = (id: number, ago: string) =>
    database.pool.query(`update question set checked_at = now() - $2::interval where id = $1`, [
      id,
      ago,
    ]);

  test('lists a preferred wrong option only from thirty answers on', async () => {
    await countDrills(...repeat(10, [0]), ...repeat(19, [1]));
    expect(await queue()).toEqual([]);
    await countDrills([1]);
    expect(await queue()).toEqual([[ids[0], ['wrong_option_preferred']]]);
    await countDrills(...repeat(10, [0]));
    expect(await queue()).toEqual([]);
  });

  test('lists a question that otherwise good learners get wrong', async () => {
    await countDrills(...repeat(15, [0, 1, 1, 1, 1]), ...repeat(15, [1, 0, 0, 0, 0]));
    expect(await queue('negative_discrimination')).toEqual([[ids[0], ['negative_discrimination']]]);
  });

  test('lists each question once, worst first, with totals by reason', async () => {
    await countDrills(...repeat(30, [1]));
    await report(ids[0]!);
    await report(ids[3]!);
    await checked(ids[0]!, '2 years');
    await checked(ids[1]!, '2 years');
    await checked(ids[2]!, '3 years');
    await checked(ids[4]!, '11 months');
    const all = [
      [ids[0], ['wrong_option_preferred', 'reported', 'source_outdated']],
      [ids[3], ['reported']],
      [ids[2], ['source_outdated']],
      [ids[1], ['source_outdated']],
    ];
    expect(await queue()).toEqual(all);
    expect(await queue('source_outdated')).toEqual([all[2], all[0], all[3]]);
    expect(await totals()).toEqual({
      total: 4,
      wrong_option_preferred: 1,
      reported: 2,
      negative_discrimination: 0,
      fact_due: 0,
      source_outdated: 3,
    });
    await database.pool.query('update question set retired_at = now() where id = $1', [ids[3]]);
    expect((await queue()).map(([id]) => id)).toEqual([ids[0], ids[2], ids[1]]);
  });

  test('asks for a fact whose year has come, after suspects and before outdated sources', async () => {
    await drill([0]);
    const age = (id: number, year: string) =>
      database.pool.query(`update question set ages = ${year} where id = $1`, [id]);
    const now = `extract(year from now() at time zone 'Europe/Oslo')`;
    await age(ids[0]!, now);
    await age(ids[1]!, `${now} - 2`);
    await age(ids[2]!, `${now} + 1`);
    await age(ids[3]!, now);
    await checked(ids[3]!, '2 years');
    await checked(ids[4]!, '3 years');
    await report(ids[0]!);
    expect(await queue()).toEqual([
      [ids[0], ['reported', 'fact_due']],
      [ids[1], ['fact_due']],
      [ids[3], ['fact_due', 'source_outdated']],
      [ids[4], ['source_outdated']],
    ]);
    expect((await queue('fact_due')).map(([id]) => id)).toEqual([ids[1], ids[0], ids[3]]);
    expect(await totals()).toMatchObject({ total: 4, fact_due: 3, source_outdated: 2 });
    await dismissQuality(database.pool, ids[1]!, 'fact_due', actor);
    await age(ids[0]!, `${now} + 1`);
    expect((await queue('fact_due')).map(([id]) => id)).toEqual([ids[3]]);
  });

  test('has no gap between its pages across suspects and outdated questions', async () => {
    await drill([0]);
    for (const id of ids.slice(0, 15)) await report(id);
    for (const id of ids.slice(10)) await checked(id, '2 years');
    const first = await queue();
    const second = await queue(undefined, 2);
    expect([first.length, second.length, (await queue(undefined, 3)).length]).toEqual([20, 10, 0]);
    expect(new Set([...first, ...second].map(([id]) => id)).size).toBe(30);
  });

  test('is cached until a verdict, a report, a dismissal or a question changes', async () => {
    const list = createReviewQueue(database.pool);
    const queued = async () => {
      const { items, total } = await list(undefined, 1);
      expect(items).toHaveLength(total);
      return items.map(({ id }) => id);
    };
    expect(await queued()).toEqual([]);
    await countDrills(...repeat(30, [1]));
    expect(await queued()).toEqual([ids[0]]);
    await report(ids[1]!);
    await checked(ids[2]!, '2 years');
    expect(await queued()).toEqual([ids[0], ids[1], ids[2]]);
    await dismissQuality(database.pool, ids[1]!, 'reported', actor);
    expect(await queued()).toEqual([ids[0], ids[2]]);
    await countDrills(...repeat(31, [0]));
    expect(await queued()).toEqual([ids[2]]);
  });

  test('leaves out a dismissed question until its answers have doubled', async () => {
    await countDrills(...repeat(30, [1]));
    await dismissQuality(database.pool, ids[0]!, 'wrong_option_preferred', actor);
    expect(await queue()).toEqual([]);
    await countDrills(...repeat(29, [1]));
    expect(await queue()).toEqual([]);
    await countDrills([1]);
    expect(await queue()).toHaveLength(1);
  });

  test('lists a question again after a new report, and any dismissed one after a year', async () => {
    await drill([0]);
    await report(ids[0]!);
    await dismissQuality(database.pool, ids[0]!, 'reported', actor);
    await checked(ids[1]!, '2 years');
    await dismissQuality(database.pool, ids[1]!, 'source_outdated', actor);
    expect(await queue()).toEqual([]);
    expect(await totals()).toMatchObject({ total: 0, source_outdated: 0 });
    await report(ids[0]!);
    expect(await queue()).toEqual([[ids[0], ['reported']]]);
    await database.pool.query(
      `update quality_dismissal set dismissed_at = now() - interval '366 days'`,
    );
    expect((await queue()).map(([id]) => id)).toEqual([ids[0], ids[1]]);
    await expect(dismissQuality(database.pool, 999_999, 'reported', actor)).rejects.toMatchObject({
      code: 'question_not_found',
    });
  });

  test('has the measured difficulty of a question, and none before it is measured', async () => {
    const [measured, unmeasured] = ids as [number, number];
    for (const id of [measured, unmeasured]) await checked(id, '2 years');
    await database.pool.query(
      'insert into question_difficulty (question_id, difficulty, answers) values ($1, 0.824, 41)',
      [measured],
    );
    const { items } = await createReviewQueue(database.pool)(undefined, 1);
    const found = new Map(items.map((item) => [item.id, item.measured_difficulty]));
    expect(found.get(measured)).toEqual({ logits: 0.82, answers: 41 });
    expect(found.get(unmeasured)).toBeNull();
    const own = async (id: number) =>
      (await readQuestionStatistics(database.pool, id)).measured_difficulty;
    expect([await own(measured), await own(unmeasured)]).toEqual([
      { logits: 0.82, answers: 41 },
      null,
    ]);
  });

  test('a question that is deleted while it is dismissed is not found', async () => {
    const id = ids.at(-1)!;
    let dismissal: Promise<unknown> | undefined;
    await withTransaction(database.pool, async (tx) => {
      await tx.query('delete from question where id = $1', [id]);
      dismissal = dismissQuality(database.pool, id, 'reported', actor).catch((error) => error);
      await vi.waitUntil(async () => {
        const { rowCount } = await database.pool.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      }, WAIT);
    });
    expect(await dismissal).toMatchObject({ code: 'question_not_found' });
  });
});

test('the quality summary bins every question with enough answers', async () => {
  await countDrills(...repeat(15, [0, 1, 0, 0, 0]), ...repeat(15, [1, 0, 0, 0, 0]), [
    0, 0, 0, 0, 0, 0,
  ]);
  const summary = await summarizeQuality(database.pool);
  expect(summary).toMatchObject({ measured: 5, too_few: 1 });
  expect(summary.facility).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 3]);
  expect(summary.scatter.toSorted((a, b) => a.facility - b.facility)).toEqual([
    { facility: 5, discrimination: -10, questions: 2 },
    { facility: 9, discrimination: 9, questions: 3 },
  ]);
});
