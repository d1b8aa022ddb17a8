import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { notifiedTopics } from '@proveklar/tests/support/notified-topics.ts';
import type { Database } from '#database/pool.ts';
import {
  changeTopic,
  deleteQuestion,
  editQuestion,
  restoreQuestion,
  validateQuestion,
} from './edit-question.ts';

const database = useTestDatabase();
const ACTOR = 'admin@example.no';
const PICTURE = `data:image/png;base64,${PNG.sync.write(new PNG({ width: 20, height: 20 })).toString('base64')}`;

/** Notes the reads outside a transaction, and the transactions, in their order. */
function observed(): { db: Database; order: string[] } {
  const order: string[] = [];
  const note =
    <Args extends unknown[], Result>(what: string, call: (...args: Args) => Result) =>
    (...args: Args) => {
      order.push(what);
      return call(...args);
    };
  const { pool } = database;
  const db = {
    query: note('read', pool.query.bind(pool) as (...args: unknown[]) => unknown),
    connect: note('transaction', () => pool.connect()),
  } as unknown as Database;
  return { db, order };
}

async function newQuestion(topic: string) {
  await createQuestions(database.pool, { topic, count: 1 });
  const { rows } = await database.pool.query<{ id: number; question: string; answer: string }>(
    'select id, question, answer from question where topic = $1',
    [topic],
  );
  const { id, question, answer } = rows[0]!;
  const content = {
    question,
    answer,
    topic,
    incorrect: ['B', 'C', 'D'],
    explanation: null,
    source_url: null,
    checked_at: null,
    tags: [],
  };
  return { id, content };
}

test('reads a new picture before it locks the question', async () => {
  const { id, content } = await newQuestion('A picture');
  const { db, order } = observed();
  const withPicture = { ...content, image: PICTURE, image_alt: 'A flag' };
  const edit = { question: id, version: 1, content: withPicture, actor: ACTOR };
  expect((await editQuestion(db, edit)).image).toMatchObject({ alt: 'A flag', width: 20 });
  expect(order).toEqual(['read', 'transaction']);
});

test('says that the question has changed rather than that its picture is refused', async () => {
  const { id, content } = await newQuestion('A changed question');
  const withPicture = { ...content, image: 'data:image/png;base64,AAAA', image_alt: 'A flag' };
  const edit = { question: id, content: withPicture, actor: ACTOR };
  await expect(editQuestion(database.pool, { ...edit, version: 2 })).rejects.toMatchObject({
    code: 'question_changed',
  });
  await expect(editQuestion(database.pool, { ...edit, version: 1 })).rejects.toMatchObject({
    code: 'validation_failed',
    details: { faults: [{ field: 'image', reason: 'image_damaged' }] },
  });
});

test('each change of a question makes the screens of other administrators read it again', async () => {
  const { id } = await newQuestion('A followed question');
  const target = { question: id, actor: ACTOR };
  const retire = () =>
    database.pool.query('update question set retired_at = now() where id = $1', [id]);
  const notified = (call: () => Promise<unknown>) => notifiedTopics(database.url, call);
  const invalidate = () => validateQuestion(database.pool, { ...target, validated: false });
  expect(await notified(invalidate)).toEqual(['questions']);
  // It is so already.
  expect(await notified(invalidate)).toEqual([]);
  expect(
    await notified(() => changeTopic(database.pool, { ...target, topic: 'Another topic' })),
  ).toEqual(['questions']);
  await retire();
  expect(await notified(() => restoreQuestion(database.pool, target))).toEqual(['questions']);
  expect(await notified(() => deleteQuestion(database.pool, target))).toEqual(['questions']);
});
