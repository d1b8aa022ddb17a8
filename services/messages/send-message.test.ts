import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageContent } from '@proveklar/contract/messages.ts';
import { withTransaction } from '#database/pool.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { createMessage, readMessage, recordTested } from './messages.ts';
import { changeNewsConsent, forgetWithdrawnNews, readNewsConsent } from './news-consent.ts';
import { queueMessages, startMessage, stopMessage, unqueueRecipient } from './send-message.ts';

const database = useTestDatabase();
const TEXT = { subject: 'Nytt', body: 'Hei' };

beforeEach(async () => {
  await emptyTables(database.pool, 'account', 'message', 'question', 'outbox', 'audit_entry');
  await setPrice(database.pool, 149_00);
});

const query = async (text: string, ...values: unknown[]) =>
  (await database.pool.query(text, values)).rows;

/** A message that was tested and is being sent. */
async function sending(content: Partial<MessageContent> = {}): Promise<string> {
  const { id, revision } = await createMessage(database.pool, 'admin@example.no', {
    kind: 'service',
    audience: 'all',
    texts: { no: TEXT, en: TEXT },
    ...content,
  });
  await recordTested(database.pool, id, revision);
  await startMessage(database.pool, 'admin@example.no', id);
  return id;
}

const queue = (limit = 100) => withTransaction(database.pool, (tx) => queueMessages(tx, limit));

/** Queues until no account is left. */
async function queueAll(limit = 100) {
  while ((await queue(limit)).examined > 0);
}

/** The accounts with an event to mail a message, in any order. */
const due = async (messageId: string): Promise<string[]> => {
  const rows = await query(
    `select payload ->> 'account_id' as id from outbox
     where name = 'message.due' and payload ->> 'message_id' = $1`,
    messageId,
  );
  return rows.map(({ id }) => id as string).toSorted();
};

/** Makes the queued mails of a message count as sent. */
const deliver = (messageId: string, daysAgo = 0) =>
  query(
    `update message_recipient set state = 'sent', at = now() - make_interval(days => $2)
     where message_id = $1 and state = 'queued'`,
    messageId,
    daysAgo,
  );

const agree = (accountId: string) =>
  changeNewsConsent(database.pool, accountId, { news: true, consent: 'news-no-2026-11' });

const ids = (...learners: { id: string }[]) => learners.map(({ id }) => id).toSorted();

describe('the learners who get a message', () => {
  test('get it once, also from concurrent schedulers with batches', async () => {
    const learners = [];
    for (let n = 0; n < 10; n += 1) learners.push(await createLearner(database.pool));
    const id = await sending();
    const batches = await Promise.all(Array.from({ length: 5 }, () => queue(3)));
    for (const { examined } of batches) expect(examined).toBeLessThanOrEqual(3);
    await queueAll(3);
    expect(await due(id)).toEqual(ids(...learners));
  });

  test.each([
    ['active', ['active', 'practised']],
    ['expired', ['expired']],
    ['never_practised', ['active', 'expired', 'never_paid']],
    ['not_lately', ['practised']],
    ['all', ['active', 'expired', 'never_paid', 'practised']],
  ] as const)('are those of the audience "%s"', async (audience, expected) => {
    const learners = {
      active: await createLearner(database.pool),
      expired: await createLearner(database.pool),
      never_paid: await createLearner(database.pool, { days: 0 }),
      practised: await createLearner(database.pool),
    };
    await query(
      `update account set service_expires_at = now() - interval '1 day' where id = $1`,
      learners.expired.id,
    );
    await createQuestions(database.pool, { topic: 'Historie' });
    await startQuizOf(database.pool, learners.practised.id, {
      topic: 'Historie',
      questionCount: 5,
    });
    await query(
      `update quiz set started_at = now() - interval '31 days', state = 'ended', score = 0,
         ended_at = now() - interval '31 days'`,
    );
    const id = await sending({ audience });
    await queueAll();
    expect(await due(id)).toEqual(ids(...expected.map((name) => learners[name])));
  });

  test('read a language that it is written in, were registered before, and are not closed', async () => {
    const norwegian = await createLearner(database.pool);
    const english = await createLearner(database.pool);
    await query(`update account set language = 'en' where id = $1`, english.id);
    const closed = await createLearner(database.pool);
    await query(`update account set state = 'disabled' where id = $1`, closed.id);
    const id = await sending({ texts: { no: TEXT } });
    await createLearner(database.pool);
    await queueAll();
    expect(await due(id)).toEqual([norwegian.id]);
  });

  test('of news have agreed to them', async () => {
    const [agreed, withdrawn, never] = [
      await createLearner(database.pool),
      await createLearner(database.pool),
      await createLearner(database.pool),
    ];
    await agree(agreed.id);
    await agree(withdrawn.id);
    await changeNewsConsent(database.pool, withdrawn.id, { news: false });
    expect(await readNewsConsent(database.pool, never.id)).toBeNull();
    const id = await sending({ kind: 'news' });
    await queueAll();
    expect(await due(id)).toEqual([agreed.id]);
  });

  test('have had no other message for seven days, and an address that takes mail', async () => {
    const [fresh, recent, long, refused] = [
      await createLearner(database.pool),
      await createLearner(database.pool),
      await createLearner(database.pool),
      await createLearner(database.pool),
    ];
    const earlier = await sending();
    await queueAll();
    await deliver(earlier, 8);
    await query(`delete from message_recipient where account_id = $1`, fresh.id);
    await query(
      `update message_recipient set at = now() - interval '6 days' where account_id = $1`,
      recent.id,
    );
    await query(
      `insert into mail (event_id, kind, account_id, language, claimed_until, refused_at, refused_code)
       values (gen_random_uuid(), 'payment_confirmation', $1, 'no', now(), now(), 550)`,
      refused.id,
    );
    const id = await sending();
    await queueAll();
    expect(await due(id)).toEqual(ids(fresh, long));
    const { counts } = await readMessage(database.pool, id);
    expect(counts).toMatchObject({ queued: 2, skipped: { recent: 1, refused_before: 1 } });
  });
});

describe('a message', () => {
  test('is not sent before its last revision was tested', async () => {
    await createLearner(database.pool);
    const { id } = await createMessage(database.pool, 'admin@example.no', {
      kind: 'service',
      audience: 'all',
      texts: { no: TEXT },
    });
    const start = () => startMessage(database.pool, 'admin@example.no', id);
    await expect(start()).rejects.toMatchObject({ code: 'message_not_tested' });
    await recordTested(database.pool, id, 7);
    await expect(start()).rejects.toMatchObject({ code: 'message_not_tested' });
    await recordTested(database.pool, id, 1);
    expect(await start()).toMatchObject({ state: 'sending', total: 1 });
  });

  test('that is stopped goes on with the rest only', async () => {
    const learners = [];
    for (let n = 0; n < 4; n += 1) learners.push(await createLearner(database.pool));
    const id = await sending();
    await queue(3);
    const [first, second, third] = await due(id);
    await query(`update message_recipient set state = 'sent' where account_id = any ($1)`, [
      first,
      second,
    ]);
    await stopMessage(database.pool, 'admin@example.no', id);
    expect((await queue()).examined).toBe(0);
    // The mail worker takes it off when its turn comes.
    await unqueueRecipient(database.pool, { messageId: id, accountId: third! });
    await query('delete from outbox');
    await startMessage(database.pool, 'admin@example.no', id);
    await queueAll();
    const rest = learners.filter(({ id: one }) => one !== first && one !== second);
    expect(await due(id)).toEqual(ids(...rest));
    expect(await query('select action from audit_entry order by id')).toEqual([
      { action: 'message.created' },
      { action: 'message.started' },
      { action: 'message.stopped' },
      { action: 'message.started' },
    ]);
  });

  test('that goes on while a worker takes a learner off still reaches the learner', async () => {
    const { id: accountId } = await createLearner(database.pool);
    const id = await sending();
    await queueAll();
    await stopMessage(database.pool, 'admin@example.no', id);
    // Here the worker has read that it is stopped.
    await startMessage(database.pool, 'admin@example.no', id);
    await queueAll();
    expect(await unqueueRecipient(database.pool, { messageId: id, accountId })).toBe(false);
    expect((await readMessage(database.pool, id)).counts.queued).toBe(1);
  });

  test('ends when its last mail is sent, and lets the next one begin before', async () => {
    await createLearner(database.pool);
    const id = await sending();
    await queueAll();
    const stateOf = async (one: string) => (await readMessage(database.pool, one)).state;
    expect(await stateOf(id)).toBe('sending');
    const next = await sending();
    expect((await queue()).examined).toBe(1);
    await deliver(id);
    expect(await queue()).toMatchObject({ ended: true });
    expect(await stateOf(id)).toBe('sent');
    expect((await readMessage(database.pool, next)).counts.skipped.recent).toBe(1);
  });
});

test('a withdrawn consent is forgotten after two years, and one that holds is not', async () => {
  const [old, recent, held] = [
    await createLearner(database.pool),
    await createLearner(database.pool),
    await createLearner(database.pool),
  ];
  for (const { id } of [old, recent, held]) await agree(id);
  await query(
    `update news_consent set agreed_at = now() - interval '3 years',
       withdrawn_at = case account_id when $1 then now() - interval '2 years 1 day'
                                      when $2 then now() - interval '729 days' end`,
    old.id,
    recent.id,
  );
  await withTransaction(database.pool, forgetWithdrawnNews);
  const rows = await query('select account_id as id from news_consent');
  expect(ids(...(rows as { id: string }[]))).toEqual(ids(recent, held));
});

test('a repeated consent keeps its time, and one after a withdrawal has a new one', async () => {
  const { id } = await createLearner(database.pool);
  await agree(id);
  await query(`update news_consent set agreed_at = '2026-01-01'`);
  await agree(id);
  const agreedAt = async () => (await readNewsConsent(database.pool, id))?.agreedAt.getFullYear();
  expect(await agreedAt()).toBe(2026);
  await query(`update news_consent set agreed_at = '2020-06-01'`);
  await agree(id);
  expect(await agreedAt()).toBe(2020);
  await changeNewsConsent(database.pool, id, { news: false });
  expect(await agreedAt()).toBeUndefined();
  await agree(id);
  expect(await agreedAt()).toBeGreaterThan(2020);
});
