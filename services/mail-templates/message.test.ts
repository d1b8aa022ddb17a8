import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageContent } from '@proveklar/contract/messages.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction } from '#database/pool.ts';
import { claimMail } from '#mail/send-once.ts';
import type { OutgoingMail } from '#mail/send-mail.ts';
import { MailRefusedError } from '#mail/send-mail.ts';
import { createMessage, readMessage, recordTested } from '#messages/messages.ts';
import { changeNewsConsent } from '#messages/news-consent.ts';
import { MESSAGE_MAIL, queueMessages, startMessage, stopMessage } from '#messages/send-message.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { mailMessage, mailTestMessage } from './message.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const BODY = 'Første avsnitt.\n\n[Les mer](https://example.no/nytt)\n\n<b>Sist</b>';

let mails: OutgoingMail[];
let failure: Error | null;
const mailer = {
  send: async (mail: OutgoingMail) => {
    if (failure) throw failure;
    mails.push(mail);
  },
};

beforeEach(async () => {
  mails = [];
  failure = null;
  await emptyTables(database.pool, 'account', 'message', 'mail', 'outbox', 'audit_entry');
});

/** A learner, the event of a message to them, and what handles it as the worker does. */
async function dueMessage(content: Partial<MessageContent> = {}, isVerified = true) {
  const learner = await createLearner(database.pool);
  if (content.kind === 'news') {
    const consent = 'news-no-2026-11' as const;
    await changeNewsConsent(database.pool, learner.id, { news: true, consent });
  }
  const { id, revision } = await createMessage(database.pool, ADMIN, {
    kind: 'service',
    audience: 'all',
    texts: { no: { subject: 'Nytt hos oss', body: BODY } },
    ...content,
  });
  await recordTested(database.pool, id, revision);
  await startMessage(database.pool, ADMIN, id);
  await withTransaction(database.pool, (tx) => queueMessages(tx, 10));
  const identity = {
    findByUid: async () => ({ email: learner.email, emailVerified: isVerified }) as never,
    findByEmail: async () => null,
  };
  const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
  const deps = { db: database.pool, mailer, identity, addresses };
  const payload = { message_id: id, account_id: learner.id };
  const handle = () => mailMessage(deps, { id: crypto.randomUUID(), payload });
  const counts = async () => (await readMessage(database.pool, id)).counts;
  return { learner, id, deps, handle, counts };
}

describe('a message to a learner', () => {
  test('about the service has greeting, paragraphs, links and the reason, and cannot be stopped', async () => {
    const { learner, handle, counts } = await dueMessage();
    await database.pool.query(`update account set display_name = 'Ola' where id = $1`, [
      learner.id,
    ]);
    expect(await handle()).toBe('sent');
    const [mail] = mails;
    expect(mail).toMatchObject({ to: learner.email, subject: 'Nytt hos oss' });
    expect(mail).not.toHaveProperty('unsubscribeUrl');
    expect(mail!.text).toContain(
      'Hei, Ola!\n\nFørste avsnitt.\n\nLes mer:\nhttps://example.no/nytt\n\n<b>Sist</b>',
    );
    expect(mail!.text).toContain('fordi du har konto hos Prøveklar');
    expect(mail!.html).toContain('&lt;b&gt;Sist&lt;/b&gt;');
    expect(await counts()).toMatchObject({ queued: 0, sent: 1 });
  });

  test('with news says when the learner agreed, and can be stopped in one click', async () => {
    const { learner, handle } = await dueMessage({ kind: 'news' });
    await handle();
    const [mail] = mails;
    expect(mail!.unsubscribeUrl).toMatch(
      new RegExp(`^https://example.no/api/v1/news/stop\\?token=${learner.id}[.]`),
    );
    expect(mail!.text).toContain('fordi du sa ja til nyheter');
    expect(mail!.text).toContain('https://example.no/nyheter?token=');
  });

  test('with news is not sent after the consent was withdrawn', async () => {
    const { learner, handle, counts } = await dueMessage({ kind: 'news' });
    await changeNewsConsent(database.pool, learner.id, { news: false });
    expect(await handle()).toBe('not_needed');
    expect(mails).toEqual([]);
    expect(await counts()).toMatchObject({ queued: 0, skipped: { withdrawn: 1 } });
  });

  test('is not sent after it was stopped, and the learner may get it later', async () => {
    const { id, handle, counts } = await dueMessage();
    await stopMessage(database.pool, ADMIN, id);
    expect(await handle()).toBe('not_needed');
    expect(await counts()).toMatchObject({ queued: 0, sent: 0 });
    await startMessage(database.pool, ADMIN, id);
    await withTransaction(database.pool, (tx) => queueMessages(tx, 10));
    expect(await handle()).toBe('sent');
    expect(mails).toHaveLength(1);
  });

  test('is counted as refused when the server refuses it for good', async () => {
    const { handle, counts } = await dueMessage();
    failure = new MailRefusedError(550, 'recipient');
    expect(await handle()).toBe('refused');
    expect(await counts()).toMatchObject({ queued: 0, refused: 1, sent: 0 });
  });

  test('is not sent to an address that may be a stranger’s, or to a closed account', async () => {
    const stranger = await dueMessage({}, false);
    expect(await stranger.handle()).toBe('no_recipient');
    expect(await stranger.counts()).toMatchObject({ skipped: { no_address: 1 } });
    const closed = await dueMessage();
    await database.pool.query(`update account set state = 'disabled'`);
    expect(await closed.handle()).toBe('no_recipient');
    expect(await closed.counts()).toMatchObject({ skipped: { closed: 1 } });
    expect(mails).toEqual([]);
  });
});

describe('a message whose worker is killed', () => {
  const key = (id: string, accountId: string, atMostOnce: boolean) => ({
    eventId: id,
    kind: MESSAGE_MAIL,
    recipient: { accountId },
    language: 'no' as const,
    atMostOnce,
  });

  test('before it sent anything is sent by the next one', async () => {
    const { handle, counts } = await dueMessage();
    failure = new Error('killed');
    await expect(handle()).rejects.toThrow('killed');
    failure = null;
    expect(await handle()).toBe('sent');
    expect(mails).toHaveLength(1);
    expect(await counts()).toMatchObject({ queued: 0, sent: 1 });
  });

  test('between the mail and the count is counted once and not sent again', async () => {
    const { id, handle, counts } = await dueMessage();
    await handle();
    await database.pool.query(
      `update message_recipient set state = 'queued' where message_id = $1`,
      [id],
    );
    expect(await handle()).toBe('sent_before');
    expect(mails).toHaveLength(1);
    expect(await counts()).toMatchObject({ queued: 0, sent: 1 });
  });

  test('while it sent, is sent again under the same id if it is about the service', async () => {
    const { id, learner, handle } = await dueMessage();
    const claim = await claimMail(database.pool, key(id, learner.id, false));
    expect(await handle()).toMatchObject({ retryInMs: expect.any(Number) });
    await database.pool.query('update mail set claimed_until = now()');
    expect(await handle()).toBe('sent');
    expect(mails.map((mail) => mail.id)).toEqual([(claim as { id: string }).id]);
  });

  test('while it sent, is not sent again if it has news, and is counted as interrupted', async () => {
    const { id, learner, handle, counts } = await dueMessage({ kind: 'news' });
    await claimMail(database.pool, key(id, learner.id, true));
    expect(await handle()).toBe('sent_before');
    expect(mails).toEqual([]);
    expect(await counts()).toMatchObject({ queued: 0, skipped: { interrupted: 1 } });
  });
});

test('a test goes to the administrator in each language, and counts for its revision only', async () => {
  const { id, deps } = await dueMessage({
    texts: { no: { subject: 'Nytt', body: 'Hei' }, en: { subject: 'New', body: 'Hello' } },
  });
  await database.pool.query('update message set tested_revision = null');
  const entry_id = await withTransaction(database.pool, (tx) =>
    recordAction(tx, { actor: ADMIN, action: 'message.tested', subject: id }),
  );
  const mailTest = (revision: number) =>
    mailTestMessage(deps, {
      id: crypto.randomUUID(),
      payload: { message_id: id, entry_id, revision },
    });
  expect(await mailTest(2)).toBe('not_needed');
  expect(await mailTest(1)).toBe('sent');
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [ADMIN, 'TEST: Nytt'],
    [ADMIN, 'TEST: New'],
  ]);
  expect(await readMessage(database.pool, id)).toMatchObject({ tested_revision: 1 });
});
