import type { QualityReason } from '@proveklar/contract/question-quality.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { withTransaction } from '#database/pool.ts';
import { countAnswers } from './count-answers.ts';
import {
  createReviewQueue,
  dismissQuality,
  readReviewQueue,
  summarizeQuality,
} from './review-queue.ts';
import { readFigures } from './figures.ts';
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
  await database.pool.query(
    `truncate quiz, feedback, quality_dismissal, question_statistics, item_statistics,
       question_quality, question_version cascade`,
  );
  await database.pool.query(
    'update question set version = 1, checked_at = null, retired_at = null',
  );
});

/** An ended drill with these answers, each the place of an option (0 is the key) or null for none. */
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

/** Counts all that quizzes have, as the workers do when events come. */
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

const take = async (...quizzes: (number | null)[][]) => {
  const made = [];
  for (const places of quizzes) made.push(await drill(places));
  await count(made);
};
const times = (many: number, places: (number | null)[]) =>
  Array.from({ length: many }, () => places);

describe('the figures of a question', () => {
  test('say how often each option was chosen', async () => {
    await take([0], [2], [2], [3], [0]);
    const found = (await readFigures(database.pool, [ids[0]!])).get(ids[0]!)!;
    expect(found).toMatchObject({ answers: 5, facility: 0.4, quizzes: 0, discrimination: null });
    expect(found.options.map((option) => option.times_chosen)).toEqual([2, 0, 2, 1]);
    expect(found.options[0]).toMatchObject({ is_key: true });
  });

  test('discriminate as the corrected item-total correlation does', async () => {
    // Right answers to the item, and of four others: the rest is 1, 1/2, 1/2 and 0.
    await take([0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [1, 0, 1, 0, 1], [1, 1, 1, 1, 1]);
    const found = (await readFigures(database.pool, [ids[0]!])).get(ids[0]!)!;
    // Pearson of (1, 1, 0, 0) with (1, 1/2, 1/2, 0): covariance 1/8, deviations 1/2 and √(1/8).
    expect(found.quizzes).toBe(4);
    expect(found.discrimination).toBeCloseTo(1 / 8 / (0.5 * Math.sqrt(1 / 8)), 10);
  });

  test('have no discrimination where all were right, and none from a short quiz', async () => {
    await take([0, 0, 0, 0, 0], [0, 1, 1, 1, 1], [1, 0, 0, 0]);
    const found = (await readFigures(database.pool, [ids[0]!])).get(ids[0]!)!;
    expect(found).toMatchObject({ answers: 3, quizzes: 2, discrimination: null });
  });

  test('take what is not answered for wrong in a practice test, and for not seen in a drill', async () => {
    const unanswered = [null, 0, 0, 0, 0, 0];
    await count([await drill(unanswered), await drill(unanswered, 'practice_test')]);
    const { rows } = await database.pool.query(
      'select quizzes, quizzes_right, times_correct from item_statistics where question_id = $1',
      [ids[0]],
    );
    expect(rows).toEqual([{ quizzes: 1, quizzes_right: 0, times_correct: 0 }]);
  });

  test('count a quiz once, however often it is told of', async () => {
    const quiz = await drill([0, 0, 0, 0, 0]);
    await count([quiz]);
    await withTransaction(database.pool, (tx) => measureQuizzes(tx, [quiz, quiz]));
    expect((await readFigures(database.pool, [ids[0]!])).get(ids[0]!)!.quizzes).toBe(1);
  });

  test('begin anew with other options, and go on after an edit of anything else', async () => {
    await take([0], [1]);
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
    await take([0]);
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

  test('needs thirty answers to find a wrong option preferred', async () => {
    await take(...times(10, [0]), ...times(19, [1]));
    expect(await queue()).toEqual([]);
    await take([1]);
    expect(await queue()).toEqual([[ids[0], ['wrong_option_preferred']]]);
    await take(...times(10, [0]));
    expect(await queue()).toEqual([]);
  });

  test('has what those get wrong who are right otherwise', async () => {
    await take(...times(15, [0, 1, 1, 1, 1]), ...times(15, [1, 0, 0, 0, 0]));
    expect(await queue('negative_discrimination')).toEqual([[ids[0], ['negative_discrimination']]]);
  });

  test('has each question once, the worst first, and counts each', async () => {
    await take(...times(30, [1]));
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
      source_outdated: 3,
    });
    await database.pool.query('update question set retired_at = now() where id = $1', [ids[3]]);
    expect((await queue()).map(([id]) => id)).toEqual([ids[0], ids[2], ids[1]]);
  });

  test('is paged over both its parts without a gap', async () => {
    await drill([0]);
    for (const id of ids.slice(0, 15)) await report(id);
    for (const id of ids.slice(10)) await checked(id, '2 years');
    const first = await queue();
    const second = await queue(undefined, 2);
    expect([first.length, second.length, (await queue(undefined, 3)).length]).toEqual([20, 10, 0]);
    expect(new Set([...first, ...second].map(([id]) => id)).size).toBe(30);
  });

  test('is kept until a verdict, a report, a dismissal or a question changes', async () => {
    const list = createReviewQueue(database.pool);
    const queued = async () => {
      const { items, total } = await list(undefined, 1);
      expect(items).toHaveLength(total);
      return items.map(({ id }) => id);
    };
    expect(await queued()).toEqual([]);
    await take(...times(30, [1]));
    expect(await queued()).toEqual([ids[0]]);
    await report(ids[1]!);
    await checked(ids[2]!, '2 years');
    expect(await queued()).toEqual([ids[0], ids[1], ids[2]]);
    await dismissQuality(database.pool, ids[1]!, 'reported', actor);
    expect(await queued()).toEqual([ids[0], ids[2]]);
    await take(...times(31, [0]));
    expect(await queued()).toEqual([ids[2]]);
  });

  test('leaves out what was dismissed until twice as many have answered', async () => {
    await take(...times(30, [1]));
    await dismissQuality(database.pool, ids[0]!, 'wrong_option_preferred', actor);
    expect(await queue()).toEqual([]);
    await take(...times(29, [1]));
    expect(await queue()).toEqual([]);
    await take([1]);
    expect(await queue()).toHaveLength(1);
  });

  test('brings a dismissed report back with the next one, and anything after a year', async () => {
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
});

test('the summary has every question with enough answers in its bins', async () => {
  await take(...times(15, [0, 1, 0, 0, 0]), ...times(15, [1, 0, 0, 0, 0]), [0, 0, 0, 0, 0, 0]);
  const summary = await summarizeQuality(database.pool);
  expect(summary).toMatchObject({ measured: 5, too_few: 1 });
  expect(summary.facility).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 3]);
  expect(summary.scatter.toSorted((a, b) => a.facility - b.facility)).toEqual([
    { facility: 5, discrimination: -10, questions: 2 },
    { facility: 9, discrimination: 9, questions: 3 },
  ]);
});
