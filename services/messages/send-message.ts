import type {
  Audience,
  MessageKind,
  MessageTexts,
  SkipReason,
} from '@proveklar/contract/messages.ts';
import type { Actor } from '#audit/actor.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { inAudience, SKIPPED_AHEAD } from './audience.ts';
import {
  audit,
  countAudience,
  languagesOf,
  lockMessage,
  type MessageRecord,
  readMessage,
} from './messages.ts';

// A schedule queues a batch of recipients at a time, each with an event for the mail queue, in one transaction.
// The recipient's row decides that a learner gets the message once; the mail's row, that it is sent once.

/** What the `mail` row of a message is stored under, beside the message's id. */
export const MESSAGE_MAIL = 'message';

/**
 * Begins to send a message, or goes on after it was stopped.
 *
 * @throws AppError `not_found`; `message_state` when it is being sent or was; `message_not_tested` when its last
 *   revision was not mailed to an administrator; `validation_failed` when it has no recipients;
 *   `account_disabled`, `admin_only`
 */
export async function startMessage(db: Database, actor: Actor, id: string): Promise<MessageRecord> {
  // Before the transaction, because it reads all accounts.
  const { kind, audience, texts } = await readMessage(db, id);
  const { total } = await countAudience(db, { kind, audience, languages: languagesOf(texts) });
  return withTransaction(db, async (tx) => {
    const before = await lockMessage(tx, id, ['draft', 'stopped']);
    if (before.tested_revision !== before.revision) throw new AppError('message_not_tested');
    if (total === 0 && before.state === 'draft') {
      throw new AppError('validation_failed', {
        message: 'No learner is in this audience. Choose another.',
        details: { field: 'audience', reason: 'no_recipients' },
      });
    }
    await tx.query(
      `update message set state = 'sending', started_at = coalesce(started_at, clock_timestamp()),
         total = coalesce(total, $2), last_account_id = null, queued_at = null where id = $1`,
      [id, total],
    );
    const message = await readMessage(tx, id);
    await audit(tx, actor, 'message.started', message);
    return message;
  });
}

/**
 * Stops a message. Mails that are being sent at this moment are sent; those that wait in the queue are not.
 *
 * @throws AppError `not_found`, `message_state`, `account_disabled`, `admin_only`
 */
export async function stopMessage(db: Database, actor: Actor, id: string): Promise<MessageRecord> {
  return withTransaction(db, async (tx) => {
    await lockMessage(tx, id, ['sending']);
    await tx.query(`update message set state = 'stopped' where id = $1`, [id]);
    const message = await readMessage(tx, id);
    await audit(tx, actor, 'message.stopped', message);
    return message;
  });
}

interface Sending {
  id: string;
  kind: MessageKind;
  audience: Audience;
  texts: MessageTexts;
}

/** A mail that fails is given up after three days, and an event of it may have been dismissed. */
const WAIT_FOR_MAILS = '4 days';

/**
 * Queues the next learners of the message that has waited longest, and ends messages whose mails are sent. The
 * caller's interval and `limit` are the pace.
 *
 * @returns how many learners were examined, and whether a message has ended
 */
export async function queueMessages(
  tx: Transaction,
  limit: number,
): Promise<{ examined: number; ended: boolean }> {
  const { rowCount } = await tx.query(
    `update message set state = 'sent', ended_at = clock_timestamp()
     where state = 'sending' and queued_at is not null
       and not exists (select from message_recipient
                       where message_id = message.id and state = 'queued'
                         and at > now() - interval '${WAIT_FOR_MAILS}')`,
  );
  const { rows } = await tx.query<Sending>(
    `select id, kind, audience, texts from message
     where state = 'sending' and queued_at is null order by started_at, id limit 1 for update`,
  );
  const [message] = rows;
  const examined = message ? await queueBatch(tx, message, limit) : 0;
  return { examined, ended: rowCount !== 0 };
}

async function queueBatch(tx: Transaction, message: Sending, limit: number): Promise<number> {
  const { rows } = await tx.query<{ examined: number }>(
    `with batch as materialized (
       select account.id, ${SKIPPED_AHEAD} as reason
       from message cross join account cross join settings
       where message.id = $1 and account.id > coalesce(last_account_id, '00000000-0000-0000-0000-000000000000')
         and account.registered_at <= message.started_at and account.language = any ($2)
         and ${inAudience(message)}
         and not exists (select from message_recipient
                         where message_id = $1 and account_id = account.id)
       order by account.id limit $3
     ), listed as (
       insert into message_recipient (message_id, account_id, state, reason)
       select $1, id, case when reason is null then 'queued' else 'skipped' end, reason from batch
       returning account_id, state
     ), emitted as (
       insert into outbox (name, payload)
       select 'message.due', jsonb_build_object('message_id', $1::uuid, 'account_id', account_id)
       from listed where state = 'queued'
     ), moved as (
       update message set
         last_account_id = coalesce((select id from batch order by id desc limit 1), last_account_id),
         queued_at = case when (select count(*) from batch) < $3 then clock_timestamp() end
       where id = $1)
     select count(*)::int as examined from batch`,
    [message.id, languagesOf(message.texts), limit],
  );
  return rows[0]!.examined;
}

/** A message as its mail needs it. */
export interface DueMessage extends Sending {
  revision: number;
  isSending: boolean;
}

/** Reads a message for a mail; null when it was deleted. */
export async function readDueMessage(db: Queryable, id: string): Promise<DueMessage | null> {
  const { rows } = await db.query<DueMessage>(
    `select id, kind, audience, texts, revision, state = 'sending' as "isSending"
     from message where id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

interface Recipient {
  messageId: string;
  accountId: string;
}

/** Records that a learner does not get a message, and why. */
export async function skipRecipient(
  db: Queryable,
  { messageId, accountId }: Recipient,
  reason: SkipReason,
): Promise<void> {
  await db.query(
    `update message_recipient set state = 'skipped', reason = $3, at = clock_timestamp()
     where message_id = $1 and account_id = $2 and state = 'queued'`,
    [messageId, accountId, reason],
  );
}

/**
 * Takes a learner off a message that was stopped. Going on later finds the learner again.
 *
 * @returns false when the message goes on already: its search for learners may have passed this one, who must get it
 */
export async function unqueueRecipient(
  db: Database,
  { messageId, accountId }: Recipient,
): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    // Waits for a start under way, and lets none begin before the row is gone.
    const { rows } = await tx.query<{ state: string }>(
      'select state from message where id = $1 for share',
      [messageId],
    );
    if (rows[0]?.state === 'sending') return false;
    await tx.query(
      `delete from message_recipient
       where message_id = $1 and account_id = $2 and state = 'queued'`,
      [messageId, accountId],
    );
    return true;
  });
}

/** Records what came of the mail, which its row knows, also when the worker that sent it was killed. */
export async function recordDelivery(
  db: Queryable,
  { messageId, accountId }: Recipient,
): Promise<void> {
  await db.query(
    `update message_recipient recipient
     set state = case when sent_at is not null then 'sent'
                      when refused_at is not null then 'refused' else 'skipped' end,
         reason = case when sent_at is null and refused_at is null then 'interrupted' end,
         at = coalesce(sent_at, refused_at, clock_timestamp())
     from mail
     where recipient.message_id = $1 and recipient.account_id = $2 and recipient.state = 'queued'
       and mail.event_id = $1 and mail.kind = '${MESSAGE_MAIL}' and mail.account_id = $2`,
    [messageId, accountId],
  );
}

/** The messages to an account, newest first, for its export. */
export async function exportMessages(db: Queryable, accountId: string) {
  const { rows } = await db.query<{
    kind: MessageKind;
    texts: MessageTexts;
    state: 'queued' | 'sent' | 'refused' | 'skipped';
    at: Date;
  }>(
    `select kind, texts, message_recipient.state, at
     from message_recipient join message on message.id = message_id
     where account_id = $1 order by at desc, message.id`,
    [accountId],
  );
  return rows.map(({ kind, texts, state, at }) => ({
    kind,
    subject: texts[languagesOf(texts)[0]!]!.subject,
    state,
    at: at.toISOString(),
  }));
}
