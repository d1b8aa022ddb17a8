import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestMailbox } from '@proveklar/tests/support/mailbox.ts';
import { withTransaction } from '#database/pool.ts';
import { changeSettings } from '#settings/change-settings.ts';
import {
  claimMail,
  forgetMailsByAddress,
  isAddressRefused,
  type MailKey,
  sendOnce,
} from './send-once.ts';
import { createMailer, type Mailer } from './send-mail.ts';

const database = useTestDatabase();
const mailbox = useTestMailbox();
const content = { subject: 'Prøve', text: 'Hei', html: '<p>Hei</p>' };
let mailer: Mailer;
let key: MailKey;
let email: string;
let accountId: string;

beforeEach(async () => {
  const learner = await createLearner(database.pool, { days: 0 });
  email = learner.email;
  accountId = learner.id;
  const recipient = { accountId };
  key = { eventId: randomUUID(), kind: 'test', recipient, language: 'no' };
  mailer = createMailer({
    smtpUrl: mailbox.smtpUrl,
    from: 'Prøveklar <kontakt@example.no>',
    replyTo: 'kontakt@example.no',
    requireTls: true,
  });
});

const mailerAt = (smtpUrl: string) =>
  createMailer({ smtpUrl, from: 'a@example.no', replyTo: 'a@example.no', requireTls: false });
const send = (wanted = key, by = mailer) =>
  sendOnce({ db: database.pool, mailer: by }, wanted, email, content);
const endLease = () =>
  database.pool.query('update mail set claimed_until = now() where event_id = $1', [key.eventId]);
const leaseEnd = async () => {
  const { rows } = await database.pool.query<{ end: string }>(
    'select claimed_until::text as end from mail where event_id = $1',
    [key.eventId],
  );
  return rows[0]!.end;
};
const storedMails = async () =>
  (
    await database.pool.query(
      'select sent_at is not null as sent, refused_code as refused from mail where event_id = $1',
      [key.eventId],
    )
  ).rows;

describe('a mail about an event', () => {
  test('is sent once by ten concurrent attempts', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(1);
    // The others were too late, or are told to retry in case the first one died.
    for (const outcome of outcomes) {
      if (typeof outcome === 'object') expect(outcome.retryInMs).toBeGreaterThan(0);
      else expect(outcome).toMatch(/^sent/);
    }
    expect(await send()).toBe('sent_before');
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('is sent once for each kind, event and person', async () => {
    await send();
    expect(await send({ ...key, kind: 'other', recipient: { accountId } })).toBe('sent');
    expect(await send({ ...key, eventId: randomUUID() })).toBe('sent');
    const byAddress = { ...key, kind: 'password_link' } as const;
    expect(await send({ ...byAddress, recipient: { email } })).toBe('sent');
    expect(await send({ ...byAddress, recipient: { email: email.toUpperCase() } })).toBe(
      'sent_before',
    );
    expect(await mailbox.mailsTo(email)).toHaveLength(4);
  });

  test('is retried after the mail server rejected it temporarily', async () => {
    mailbox.refuse(451);
    await expect(send()).rejects.toThrow('SMTP: RCPT TO was answered with 451');
    expect(await storedMails()).toEqual([{ sent: false, refused: null }]);
    mailbox.refuse(null);
    expect(await send()).toBe('sent');
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('is retried with a growing backoff, and given up after three days', async () => {
    mailbox.refuse(451);
    await expect(send()).rejects.toThrow('451');
    const age = (interval: string) =>
      database.pool.query(
        `update mail set claimed_until = now(), id = uuidv7(-$1::interval)
         where sent_at is null and refused_at is null`,
        [interval],
      );
    await age('1 hour');
    await expect(send()).rejects.toThrow('451');
    const waits = (await send()) as { retryInMs: number };
    expect(waits.retryInMs).toBeGreaterThan(20 * 60_000);
    await age('4 days');
    expect(await send()).toBe('refused');
    expect(await send()).toBe('sent_before');
    mailbox.refuse(null);
  });

  test('is retried when the mail server did not answer', async () => {
    const reachable = mailer;
    mailer = mailerAt('smtp://127.0.0.1:1');
    await expect(send()).rejects.toThrow('ECONNREFUSED');
    mailer = reachable;
    expect(await send()).toBe('sent');
  });

  test('is given up when the address does not exist', async () => {
    mailbox.refuse(550);
    expect(await send()).toBe('refused');
    mailbox.refuse(null);
    expect(await send()).toBe('sent_before');
    expect(await storedMails()).toEqual([{ sent: false, refused: 550 }]);
    expect(await mailbox.mailsTo(email)).toEqual([]);
    expect(await isAddressRefused(database.pool, accountId)).toBe(true);
  });

  test('is given up when its content is refused, and the address is not held to be dead', async () => {
    mailbox.refuse(554, 'content');
    expect(await send()).toBe('refused');
    mailbox.refuse(null);
    expect(await send()).toBe('sent_before');
    expect(await storedMails()).toEqual([{ sent: false, refused: 554 }]);
    expect(await isAddressRefused(database.pool, accountId)).toBe(false);
  });

  test('that was refused before the part was recorded counts against the address', async () => {
    mailbox.refuse(550);
    await send();
    mailbox.refuse(null);
    await database.pool.query('update mail set refused_part = null where event_id = $1', [
      key.eventId,
    ]);
    expect(await isAddressRefused(database.pool, accountId)).toBe(true);
  });

  test('waits when the server rejects our own configuration', async () => {
    mailbox.refuse(530);
    await expect(send()).rejects.toThrow('530');
    expect(await storedMails()).toEqual([{ sent: false, refused: null }]);
  });

  test('has the same Message-ID when it is sent twice because a worker died in between', async () => {
    const claim = await claimMail(database.pool, key);
    if (claim === 'done' || 'retryInMs' in claim) throw new Error('not claimed');
    await mailer.send({ ...content, to: email, id: claim.id });
    // The worker died before it could record that. Others wait until its lease has expired.
    expect(await send()).toMatchObject({ retryInMs: expect.any(Number) });
    await endLease();
    expect(await send()).toBe('sent');
    const [second, first] = await mailbox.mailsTo(email);
    expect(first?.messageId).toBe(`<${claim.id}@example.no>`);
    expect(second?.messageId).toBe(first?.messageId);
  });
});

test('the record of a mail to an address without an account is deleted after five days', async () => {
  const { pool } = database;
  await pool.query('truncate mail');
  const kinds = ['payment_refunded', 'code_packet', 'account_deleted'] as const;
  for (const kind of kinds) {
    await send({ eventId: randomUUID(), kind, recipient: { email }, language: 'no' });
  }
  // A kind of another release.
  await pool.query(
    `insert into mail (event_id, kind, email, language, claimed_until)
     values (gen_random_uuid(), 'unknown', $1, 'no', now())`,
    [email],
  );
  const forget = async () => {
    await withTransaction(pool, forgetMailsByAddress);
    return (await pool.query('select from mail')).rowCount;
  };
  expect(await forget()).toBe(kinds.length + 1);
  // A mail's id has the time of its first attempt.
  await pool.query(`update mail set id = uuidv7(interval '-6 days')`);
  expect(await forget()).toBe(0);
});

describe('the lease on a mail', () => {
  test('is renewed while a slow mail server takes the mail', async () => {
    const slow = await startSlowServer();
    const sending = send(key, mailerAt(slow.smtpUrl));
    await slow.named;
    const first = await leaseEnd();
    await expect.poll(leaseEnd).not.toBe(first);
    expect(await send()).toMatchObject({ retryInMs: expect.any(Number) });
    slow.goOn();
    expect(await sending).toBe('sent');
    expect(slow.mails()).toBe(1);
    expect(await mailbox.mailsTo(email)).toEqual([]);
  });

  test('is lost by a worker that stood still, which then sends nothing', async () => {
    const slow = await startSlowServer();
    const sending = send(key, mailerAt(slow.smtpUrl));
    await slow.named;
    await endLease();
    expect(await send()).toBe('sent');
    slow.goOn();
    expect(await sending).toBe('sent_before');
    await slow.closed;
    expect(slow.mails()).toBe(0);
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('is not released by a worker that lost it and then fails', async () => {
    const slow = await startSlowServer();
    const sending = send(key, mailerAt(slow.smtpUrl));
    await slow.named;
    await endLease();
    const claim = await claimMail(database.pool, key);
    slow.goOn('451 later');
    await expect(sending).rejects.toThrow('451');
    expect(claim).toMatchObject({ until: await leaseEnd() });
  });

  test('of a dead worker ends within ten seconds', async () => {
    await claimMail(database.pool, key);
    const { retryInMs } = (await send()) as { retryInMs: number };
    expect(retryInMs).toBeGreaterThan(5_000);
    expect(retryInMs).toBeLessThanOrEqual(10_000);
  });
});

/** A mail server that waits before it accepts a recipient. */
async function startSlowServer() {
  const named = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  let mails = 0;
  const server = createServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => {}).once('close', closed.resolve);
    say('220 here');
    createInterface(socket).on('line', (line) => {
      if (/^RCPT/i.test(line)) {
        named.resolve();
        void ready.promise.then(say);
      } else if (/^DATA/i.test(line)) say('354 go on');
      else if (line === '.') {
        mails += 1;
        say('250 taken');
      } else if (/^(EHLO|MAIL)/i.test(line)) say('250 ok');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return {
    smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when a client has named its recipient. */
    named: named.promise,
    /** Resolves when a client has closed its connection. */
    closed: closed.promise,
    goOn: (answer = '250 ok') => ready.resolve(answer),
    /** How many mails it has, with the dot at their end. */
    mails: () => mails,
  };
}

describe('a mail that is sent at most once', () => {
  beforeEach(() => {
    key.atMostOnce = true;
  });

  test('is not sent again after its worker died while it sent it', async () => {
    const claim = await claimMail(database.pool, key);
    if (claim === 'done' || 'retryInMs' in claim) throw new Error('not claimed');
    expect(await send()).toBe('sent_before');
    expect(await mailbox.mailsTo(email)).toEqual([]);
  });

  test('is retried after the mail server rejected it temporarily', async () => {
    mailbox.refuse(451);
    await expect(send()).rejects.toThrow('451');
    mailbox.refuse(null);
    expect(await send()).toBe('sent');
    expect(await send()).toBe('sent_before');
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });
});

describe('the contents and route of a mail', () => {
  test('has both parts, the sender and a Reply-To address', async () => {
    await send();
    const [mail] = await mailbox.mailsTo(email);
    expect(mail).toMatchObject({ subject: 'Prøve', from: 'Prøveklar <kontakt@example.no>' });
    expect(mail?.text.trim()).toBe('Hei');
    expect(mail?.html.trim()).toBe('<p>Hei</p>');
    const headers = Object.fromEntries(mail!.headers.map(({ name, value }) => [name, value]));
    expect(headers).toMatchObject({
      'Reply-To': 'kontakt@example.no',
      'Auto-Submitted': 'auto-generated',
    });
  });

  test('has the Reply-To address that an administrator chose', async () => {
    const admin = 'admin@example.no';
    await changeSettings(database.pool, admin, { support_email: 'hjelp@example.no' });
    await send();
    await changeSettings(database.pool, admin, { support_email: null });
    const [mail] = await mailbox.mailsTo(email);
    const headers = Object.fromEntries(mail!.headers.map(({ name, value }) => [name, value]));
    expect(headers).toMatchObject({ 'Reply-To': 'hjelp@example.no' });
  });

  test('is sent to one address, also when the text looks like two', async () => {
    const two = `x${email},all@example.no`;
    await sendOnce({ db: database.pool, mailer }, key, two, content).catch(() => {});
    expect(await mailbox.mailsTo('all@example.no')).toEqual([]);
  });

  test('is never sent in clear text, except to this host', async () => {
    const { port } = new URL(mailbox.smtpUrl);
    // An address of this host that does not look like one.
    const smtpUrl = `smtp://[::ffff:127.0.0.1]:${port}`;
    const options = { from: 'a@example.no', replyTo: 'a@example.no', requireTls: true };
    mailer = createMailer({ ...options, smtpUrl });
    await expect(send()).rejects.toThrow(/STARTTLS|TLS/);
    mailer = createMailer({ ...options, smtpUrl: `${smtpUrl}?requireTLS=false` });
    expect(await send()).toBe('sent');
  });
});
