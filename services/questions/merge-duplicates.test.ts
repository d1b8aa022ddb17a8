import { beforeEach, describe, expect, test } from 'vitest';
import { COUNTED, countEvents } from '@proveklar/tests/support/count-events.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { withQuizzes } from '@proveklar/tests/support/quizzes.ts';
import { readPractisable } from '#learning/learner-state.ts';
import { drawToday } from '#learning/draw-today.ts';
import { rebuildAccount } from '#learning/record-answers.ts';
import { dismissNearDuplicate } from '#near-duplicates/near-duplicates.ts';
import { readProgress } from '#quiz/read-progress.ts';
import { drawMistakes } from '#quiz/start-quiz.ts';
import { readBankQuestion } from './bank-question.ts';
import { deleteQuestion, restoreQuestion } from './edit-question.ts';
import { startChange, undoChange } from './start-bulk-change.ts';
import { emptyTables } from '@proveklar/tests/support/database.ts';

const quizzes = withQuizzes();
const { database } = quizzes;
const actor = 'admin@example.no';
const countAll = () => countEvents(database.pool, COUNTED);
const COUNT = 5;

/** Each test has a topic of its own, with questions from before and near-duplicates of them from an import. */
let topic: string;
let older: number[];
let newer: number[];
let importId: string;
let tests = 0;

beforeEach(async () => {
  await emptyTables(database.pool, 'quiz', 'outbox', 'learner_question', 'near_duplicate');
  tests += 1;
  topic = `Tema ${tests}`;
  older = await questionsOf(topic);
  newer = await questionsOf(`${topic} nå`);
  await database.pool.query('update question set topic = $1 where id = any ($2)', [topic, newer]);
  const { rows } = await database.pool.query('select import_id from question where id = $1', [
    newer[0],
  ]);
  importId = rows[0].import_id;
  await pair(newer, older);
});

async function questionsOf(name: string): Promise<number[]> {
  await createQuestions(database.pool, { topic: name, count: COUNT });
  const { rows } = await database.pool.query<{ id: number }>(
    'select id from question where topic = $1 order by id',
    [name],
  );
  return rows.map(({ id }) => id);
}

async function pair(questions: readonly number[], similar: readonly number[]) {
  await database.pool.query(
    `insert into near_duplicate (question_id, similar_id, import_id, similarity)
     select question_id, similar_id, $3, 0.9
     from unnest($1::bigint[], $2::bigint[]) as pairs (question_id, similar_id)`,
    [questions, similar, importId],
  );
}

const retire = (ids: number[]) =>
  startChange(database.pool, { action: 'retire', topic: undefined, selection: { ids }, actor });
const mergedInto = async (id: number) => (await readBankQuestion(database.pool, id)).merged_into;

/** Answers all older questions: all but the first are right. */
async function practise() {
  await database.pool.query('update question set validated = false where id = any ($1)', [newer]);
  const quiz = await quizzes.start({ topic, questionCount: COUNT });
  for (const index of quiz.questions.keys()) {
    await quizzes.answer(quiz, index, index === 0 ? 'wrong' : 'right');
  }
  await database.pool.query('update question set validated = true where id = any ($1)', [newer]);
  await countAll();
}

/** Right and wrong answers and selections of these questions in the list, in total. */
async function counts(ids: number[]) {
  const { rows } = await database.pool.query(
    `select coalesce(sum(times_selected), 0)::int as selected, coalesce(sum(times_correct), 0)::int as correct,
            coalesce(sum(times_incorrect), 0)::int as incorrect
     from question_statistics where question_id = any ($1)`,
    [ids],
  );
  return rows[0];
}

const known = async () => {
  const rows = await readPractisable(database.pool, quizzes.learner.id, 'no');
  return rows.filter((row) => row.topic === topic).map(({ id }) => id);
};
const progress = async () => {
  const { topics } = await readProgress(database.pool, quizzes.learner.id);
  return topics.find((one) => one.topic === topic);
};

describe('a question that is retired beside a near-duplicate with the same answer', () => {
  test('is merged into it: what learners know counts for the one that stays', async () => {
    await practise();
    const before = await progress();
    const change = await retire(older);
    expect(change.changed).toBe(COUNT);
    expect(await Promise.all(older.map(mergedInto))).toEqual(newer);
    expect(new Set(await known())).toEqual(new Set(newer));
    expect(await progress()).toEqual(before);
    const [mistake, ...others] = await drawMistakes(database.pool, quizzes.learner.id, {
      language: 'no',
      count: 10,
      topic,
    });
    expect(newer).toContain(mistake!.id);
    expect(others).toEqual([]);
  });

  test('is not drawn as a new question, and is for a learner who has met neither', async () => {
    await practise();
    await retire(older);
    await database.pool.query('update question set validated = topic = $1', [topic]);
    const drawFor = async (id: string) =>
      (await drawToday(database.pool, id, { language: 'no', count: 10 })).filter(
        ({ timesShown }) => timesShown === 0,
      );
    const other = await createLearner(database.pool);
    const forOther = await drawFor(other.id);
    const forLearner = await drawFor(quizzes.learner.id);
    await database.pool.query('update question set validated = true');
    expect(forLearner).toEqual([]);
    expect(new Set(forOther.map(({ id }) => id))).toEqual(new Set(newer));
  });

  test('is known by its own answers once it was answered, and the model equals its rebuild', async () => {
    await practise();
    await retire(older);
    const quiz = await quizzes.start({ topic, questionCount: COUNT });
    for (const index of quiz.questions.keys()) await quizzes.answer(quiz, index, 'right');
    await countAll();
    expect(await progress()).toMatchObject({ met: COUNT, right: COUNT });
    expect(await rebuildAccount(database.pool, quizzes.learner.id)).toBe(0);
  });

  test('brings its statistics, which go back with it when the change is undone', async () => {
    await practise();
    const own = await counts(older);
    expect(own).toEqual({ selected: COUNT, correct: COUNT - 1, incorrect: 1 });
    const change = await retire(older);
    await countAll();
    expect(await counts(newer)).toEqual(own);
    await undoChange(database.pool, change.id, actor);
    await countAll();
    expect(await counts(newer)).toEqual({ selected: 0, correct: 0, incorrect: 0 });
    expect(await counts(older)).toEqual(own);
    expect(await Promise.all(older.map(mergedInto))).toEqual(older.map(() => null));
  });

  test('is separated by restoring it alone', async () => {
    await practise();
    const [first] = older;
    expect(await deleteQuestion(database.pool, { question: first!, actor })).toEqual({
      retired: true,
    });
    expect(await mergedInto(first!)).toBe(newer[0]);
    await restoreQuestion(database.pool, { question: first!, actor });
    expect(await mergedInto(first!)).toBeNull();
  });

  /** Newer questions than the newer ones, in pairs with them. */
  async function addNewest(): Promise<number[]> {
    const newest = await questionsOf(`${topic} i dag`);
    await database.pool.query('update question set topic = $1 where id = any ($2)', [
      topic,
      newest,
    ]);
    await pair(newest, newer);
    return newest;
  }

  test('follows the one that stays into a third, with all counts once', async () => {
    await practise();
    const own = await counts(older);
    const newest = await addNewest();
    await retire(older);
    await countAll();
    await retire(newer);
    const { rows: events } = await database.pool.query('table outbox');
    await countAll();
    expect(await Promise.all([...older, ...newer].map(mergedInto))).toEqual([...newest, ...newest]);
    expect(await counts(newest)).toEqual(own);
    expect(await counts(newer)).toEqual({ selected: 0, correct: 0, incorrect: 0 });
    // A repeated event changes nothing.
    await deliver(events);
    expect(await counts(newest)).toEqual(own);
  });

  test('has all counts once when the events of two merges arrive in the other order', async () => {
    await practise();
    const own = await counts(older);
    const newest = await addNewest();
    await retire(older);
    const { rows: first } = await database.pool.query('delete from outbox returning name, payload');
    await retire(newer);
    await countAll();
    await deliver(first);
    expect(await counts(newest)).toEqual(own);
    expect(await counts(newer)).toEqual({ selected: 0, correct: 0, incorrect: 0 });
  });

  test('comes back to a question in the middle of a chain that is restored', async () => {
    await practise();
    const own = await counts(older);
    const newest = await addNewest();
    await retire(older);
    const change = await retire(newer);
    await undoChange(database.pool, change.id, actor);
    await countAll();
    expect(await Promise.all(older.map(mergedInto))).toEqual(newer);
    expect(await counts(newer)).toEqual(own);
    expect(await counts(newest)).toEqual({ selected: 0, correct: 0, incorrect: 0 });
  });

  /** Lets the workers have these events, once more or later than others. */
  async function deliver(events: unknown[]): Promise<void> {
    await database.pool.query(
      `insert into outbox (name, payload) select name, payload
       from jsonb_to_recordset($1) as events (name text, payload jsonb)`,
      [JSON.stringify(events)],
    );
    await countAll();
  }

  test('goes into the last of a chain that is retired at once', async () => {
    const newest = await questionsOf(`${topic} i dag`);
    await pair(newest, newer);
    await retire([...older, ...newer]);
    expect(await Promise.all([...older, ...newer].map(mergedInto))).toEqual([...newest, ...newest]);
  });
});

describe('a question is not merged', () => {
  test('into one with another answer, nor into one that an editor kept beside it', async () => {
    await practise();
    await database.pool.query(`update question set answer = 'another' where id = $1`, [newer[0]]);
    await dismissNearDuplicate(database.pool, {
      importId,
      question: newer[1]!,
      dismissed: true,
      actor,
    });
    await retire(older);
    expect(await Promise.all(older.map(mergedInto))).toEqual([null, null, ...newer.slice(2)]);
  });

  test('into one whose words an editor has changed since they were found to be alike', async () => {
    await practise();
    await database.pool.query(`update question set question = 'Noe helt annet?' where id = $1`, [
      newer[0],
    ]);
    await retire(older);
    expect(await Promise.all(older.map(mergedInto))).toEqual([null, ...newer.slice(1)]);
  });

  test('in a circle when two editors retire a pair at the same time', async () => {
    await practise();
    await Promise.all([retire(older), retire(newer)]);
    const into = await Promise.all([...older, ...newer].map(mergedInto));
    // The second one finds the first one's question retired; what the first one merged is then beside nothing.
    expect(into.filter((id) => id !== null).length).toBeLessThanOrEqual(COUNT);
    const { rowCount } = await database.pool.query(
      `select from question_merge one join question_merge other
         on one.into_id = other.question_id and other.into_id = one.question_id`,
    );
    expect(rowCount).toBe(0);
  });

  test('when both are retired', async () => {
    await practise();
    await retire([...older, ...newer]);
    expect(await Promise.all([...older, ...newer].map(mergedInto))).toEqual(
      [...older, ...newer].map(() => null),
    );
  });
});
