import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { emit } from '@proveklar/services/events/outbox.ts';
import { findReminders } from '@proveklar/services/learning/reminders.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import type { SignInMailDeps } from '@proveklar/services/mail/send-once.ts';
import { mailReminder } from '@proveklar/services/mail-templates/reminder.ts';
import { allConsumed } from '#support/consumed.ts';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { queueBackends } from '#support/shared.ts';
import { answerQuizOf, startQuizOf } from '#support/quizzes.ts';
import { useTestWorkers } from '#support/workers.ts';

const gateway = useTestGateway();
const workers = useTestWorkers();
const mailbox = useTestMailbox();

const CONSENT = { reminders: true, reminders_consent: 'reminders-no-2026-11' };

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { count: 30 });
});
beforeEach(() => gateway.deps.db.query('truncate outbox'));

/** A learner with access and a verified address, who has turned reminders on. */
async function learnerWithReminders({ verified = true, language = 'nb' } = {}) {
  const user = await gateway.identity.createPasswordUser();
  if (verified) await gateway.identity.verifyEmail(user.uid);
  const headers = { 'accept-language': language };
  await gateway.call('GET', '/account', { token: user.idToken, headers });
  const id = await addDays(gateway.deps.db, user, 30);
  const { status } = await gateway.call('PUT', '/learning', { token: user.idToken, body: CONSENT });
  expect(status).toBe(200);
  return { ...user, id };
}

const HOUR_MS = 60 * 60 * 1000;
let days = 0;

/** An event of its own day; the schedule's own decisions are tested with `findReminders`. */
const dueFor = (accountId: string, inMs = HOUR_MS) => ({
  account_id: accountId,
  day: new Date(Date.UTC(2026, 0, 1 + (days += 1))).toISOString().slice(0, 10),
  send_before: new Date(Date.now() + inMs).toISOString(),
});

function remind(accountId: string, inMs?: number) {
  const { db, identity } = gateway.deps;
  const mailer = createMailer({
    smtpUrl: mailbox.smtpUrl,
    from: 'Prøveklar <kontakt@example.no>',
    replyTo: 'kontakt@example.no',
    requireTls: true,
  });
  const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
  const deps: SignInMailDeps = { db, identity, mailer, addresses };
  return mailReminder(deps, { id: crypto.randomUUID(), payload: dueFor(accountId, inMs) });
}

const learningOf = async (token: string) =>
  (await gateway.call('GET', '/learning', { token })).body;

describe('a reminder', () => {
  test('has the goal, a link to practise, and one to stop without signing in', async () => {
    const { id, email, idToken } = await learnerWithReminders();
    expect(await remind(id)).toBe('sent');
    const [mail] = await mailbox.mailsTo(email);
    expect(mail).toMatchObject({ subject: 'Påminnelse: dagens øving' });
    expect(mail?.text).toContain('Målet ditt for i dag: 20 spørsmål');
    expect(mail?.text).toContain('https://example.no/quiz');
    expect(mail?.text).not.toContain('siste påminnelsen');
    const [, token = ''] = /https:\/\/example\.no\/paminnelser\?token=(\S+)/.exec(mail!.text) ?? [];
    const headers = new Map(mail!.headers.map(({ name, value }) => [name, value]));
    const address = `https://example.no/api/v1/learning/reminders/stop?token=${token}`;
    expect(headers.get('List-Unsubscribe')).toBe(`<${address}>`);
    expect(headers.get('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const stop = new URL(address);
    const answer = await gateway.app.inject({
      method: 'POST',
      url: stop.pathname + stop.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(answer.statusCode).toBe(200);
    expect(await learningOf(idToken)).toMatchObject({ reminders: false, reminders_stopped: null });
    expect(await remind(id)).toBe('not_needed');
  });

  test("is in the learner's language", async () => {
    const { id, email } = await learnerWithReminders({ language: 'en' });
    await remind(id);
    const [mail] = await mailbox.mailsTo(email);
    expect(mail).toMatchObject({ subject: 'Reminder: today’s practice' });
    expect(mail?.text).toContain('Your goal for today: 20 questions');
  });

  test('is not sent once the goal is reached, access is over, or the evening is', async () => {
    const late = await learnerWithReminders();
    expect(await remind(late.id, -1)).toBe('not_needed');
    const expired = await learnerWithReminders();
    await gateway.deps.db.query('update account set service_expires_at = now() where id = $1', [
      expired.id,
    ]);
    expect(await remind(expired.id)).toBe('not_needed');
    const done = await learnerWithReminders();
    await gateway.call('PUT', '/learning', { token: done.idToken, body: { daily_goal: 5 } });
    const quiz = await startQuizOf(gateway.deps.db, done.id, { questionCount: 5 });
    for (const index of quiz.questions.keys()) {
      await answerQuizOf(gateway.deps.db, done.uid, { quiz, index, which: 'right' });
    }
    expect(await remind(done.id)).toBe('not_needed');
    for (const { email } of [late, expired, done]) {
      expect(await mailbox.mailsTo(email)).toEqual([]);
    }
  });

  test('says in the seventh in a row that it is the last, and none follows', async () => {
    const { id, email, idToken } = await learnerWithReminders();
    for (let n = 0; n < 7; n += 1) expect(await remind(id)).toBe('sent');
    expect(await remind(id)).toBe('not_needed');
    const mails = await mailbox.mailsTo(email);
    expect(mails.map(({ text }) => text.includes('siste påminnelsen'))).toEqual([
      true,
      ...Array(6).fill(false),
    ]);
    expect(await learningOf(idToken)).toMatchObject({
      reminders: false,
      reminders_stopped: 'unanswered',
    });
  });

  test('to an address that refuses it is the last one, until the address changes', async () => {
    const { id, idToken } = await learnerWithReminders();
    mailbox.refuse(550);
    expect(await remind(id)).toBe('refused');
    mailbox.refuse(null);
    expect(await learningOf(idToken)).toMatchObject({
      reminders: false,
      reminders_stopped: 'refused',
    });
    const again = await gateway.call('PUT', '/learning', { token: idToken, body: CONSENT });
    expect(again).toMatchObject({ status: 400, body: { code: 'email_refused' } });
    await gateway.deps.db.query('update account set email_taken_at = now() where id = $1', [id]);
    const changed = await gateway.call('PUT', '/learning', { token: idToken, body: CONSENT });
    expect(changed.status).toBe(200);
  });

  test('whose content is refused does not end the reminders', async () => {
    const { id, email, idToken } = await learnerWithReminders();
    mailbox.refuse(554, 'content');
    expect(await remind(id)).toBe('refused');
    mailbox.refuse(null);
    expect(await learningOf(idToken)).toMatchObject({ reminders: true, reminders_stopped: null });
    const again = await gateway.call('PUT', '/learning', { token: idToken, body: CONSENT });
    expect(again.status).toBe(200);
    expect(await remind(id)).toBe('sent');
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('is not sent to an address that may be that of someone else', async () => {
    const { id, email, idToken } = await learnerWithReminders({ verified: false });
    expect(await remind(id)).toBe('no_recipient');
    expect(await mailbox.mailsTo(email)).toEqual([]);
    expect(await learningOf(idToken)).toMatchObject({ reminders_stopped: 'refused' });
  });
});

describe.each(await queueBackends())('reminders, with queues on $name', ({ redisUrl }) => {
  test('are sent once by two workers, also when two schedulers and a second delivery ask for them', async () => {
    const { start, backend } = await workers.on(gateway, redisUrl, { SMTP_URL: mailbox.smtpUrl });
    const { db } = gateway.deps;
    const learner = await learnerWithReminders();
    const at = new Date(`${new Date().toISOString().slice(0, 10)}T16:30:00Z`);
    await Promise.all(
      [1, 2].map(() => withTransaction(db, (tx) => findReminders(tx, { limit: 100, at }))),
    );
    // Whatever the time of this run, it is not too late.
    await db.query(
      `update outbox set payload = payload || jsonb_build_object('send_before', $1::text)
       where name = 'reminder.due'`,
      [new Date(Date.now() + HOUR_MS).toISOString()],
    );
    start();
    start();
    await allConsumed(db);
    expect(await mailbox.mailsTo(learner.email)).toHaveLength(1);
    const { rows } = await db.query(
      `update event_delivery set done_at = null where queue = 'mail' returning batch_id`,
    );
    const queue = backend.openQueue('mail');
    for (const { batch_id } of rows) {
      await queue.add('reminder.due', { batch_id }, { jobId: `again-${batch_id}` });
    }
    await allConsumed(db);
    await queue.close();
    expect(await mailbox.mailsTo(learner.email)).toHaveLength(1);
    // The next event, which nothing but the mail's own record holds back.
    await withTransaction(db, (tx) => emit(tx, 'reminder.due', dueFor(learner.id)));
    await allConsumed(db);
    expect(await mailbox.mailsTo(learner.email)).toHaveLength(2);
  });
});
