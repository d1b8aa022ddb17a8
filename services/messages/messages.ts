import {
  type Audience,
  type AudienceResponse,
  type MessageContent,
  type MessageCounts,
  type MessageKind,
  type MessageTexts,
  SKIP_REASONS,
} from '@proveklar/contract/messages.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { nameOf, type Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { inAudience, SKIPPED_AHEAD } from './audience.ts';

// A message is a mail that administrators write to many learners. `send-message.ts` sends it.

interface MessageRow {
  id: string;
  kind: MessageKind;
  audience: Audience;
  texts: MessageTexts;
  state: 'draft' | 'sending' | 'stopped' | 'sent';
  /** Every change of the content increments it. */
  revision: number;
  /** The revision that was last mailed as a test; null for none. */
  tested_revision: number | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  /** When sending began first. */
  started_at: Date | null;
  ended_at: Date | null;
  /** Learners in the audience when sending began. */
  total: number | null;
}

export interface MessageRecord extends MessageRow {
  counts: MessageCounts;
}

const COLUMNS = `id, kind, audience, texts, state, revision, tested_revision, created_by, created_at,
  updated_at, started_at, ended_at, total`;
const PAGE_SIZE = 20;

/** The languages that a message has a text for, in the order of their codes. */
export const languagesOf = (texts: MessageTexts): AppLanguage[] =>
  (['no', 'en'] as const).filter((language) => texts[language]);

/** A page of the messages, newest first. */
export async function listMessages(
  db: Queryable,
  before: string | null,
): Promise<{ messages: MessageRecord[]; next_before: string | null }> {
  const { rows } = await db.query<MessageRow>(
    `select ${COLUMNS} from message where $1::uuid is null or id < $1
     order by id desc limit ${PAGE_SIZE + 1}`,
    [before],
  );
  const shown = rows.slice(0, PAGE_SIZE);
  const messages = await withCounts(db, shown);
  return { messages, next_before: rows.length > PAGE_SIZE ? shown.at(-1)!.id : null };
}

/** @throws AppError `not_found` */
export async function readMessage(db: Queryable, id: string): Promise<MessageRecord> {
  const { rows } = await db.query<MessageRow>(`select ${COLUMNS} from message where id = $1`, [id]);
  const [message] = await withCounts(db, rows);
  if (!message) throw new AppError('not_found');
  return message;
}

async function withCounts(db: Queryable, messages: MessageRow[]): Promise<MessageRecord[]> {
  const { rows } = await db.query<{ message_id: string; name: string; count: number }>(
    `select message_id, coalesce(reason, state) as name, count(*)::int as count
     from message_recipient where message_id = any ($1) group by message_id, coalesce(reason, state)`,
    [messages.map(({ id }) => id)],
  );
  const found = Map.groupBy(rows, ({ message_id }) => message_id);
  return messages.map((message) => {
    const of = (name: string) =>
      found.get(message.id)?.find((row) => row.name === name)?.count ?? 0;
    const skipped = Object.fromEntries(SKIP_REASONS.map((reason) => [reason, of(reason)]));
    return {
      ...message,
      counts: {
        queued: of('queued'),
        sent: of('sent'),
        refused: of('refused'),
        skipped: skipped as MessageCounts['skipped'],
      },
    };
  });
}

/** Counts who would get a message now. It looks at every account. */
export async function countAudience(
  db: Queryable,
  content: Pick<MessageContent, 'kind' | 'audience'> & { languages: AppLanguage[] },
): Promise<AudienceResponse> {
  const { rows } = await db.query<AudienceResponse>(
    `select count(*)::int as total,
       count(*) filter (where reason = 'recent')::int as recent,
       count(*) filter (where reason = 'refused_before')::int as refused_before
     from (select ${SKIPPED_AHEAD} as reason from account cross join settings
           where ${inAudience(content)} and account.language = any ($1)) as counted`,
    [content.languages],
  );
  return rows[0]!;
}

/** Creates a draft. @throws AppError `account_disabled`, `admin_only` */
export async function createMessage(
  db: Database,
  actor: Actor,
  content: MessageContent,
): Promise<MessageRecord> {
  return withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      'insert into message (kind, audience, texts, created_by) values ($1, $2, $3, $4) returning id',
      [content.kind, content.audience, content.texts, nameOf(actor)],
    );
    const message = await readMessage(tx, rows[0]!.id);
    await audit(tx, actor, 'message.created', message);
    return message;
  });
}

/**
 * Replaces the content of a draft.
 *
 * @param change.revision the one that was edited
 * @throws AppError `not_found`; `message_changed`; `message_state` when it is not a draft any more;
 *   `account_disabled`, `admin_only`
 */
export async function changeMessage(
  db: Database,
  actor: Actor,
  { id, revision, ...content }: MessageContent & { id: string; revision: number },
): Promise<MessageRecord> {
  return withTransaction(db, async (tx) => {
    const before = await lockMessage(tx, id, ['draft']);
    if (before.revision !== revision) throw new AppError('message_changed');
    await tx.query(
      `update message set kind = $2, audience = $3, texts = $4, revision = revision + 1,
         updated_at = clock_timestamp() where id = $1`,
      [id, content.kind, content.audience, content.texts],
    );
    const message = await readMessage(tx, id);
    await audit(tx, actor, 'message.edited', message);
    return message;
  });
}

/** Deletes a draft. @throws AppError `not_found`, `message_state`, `account_disabled`, `admin_only` */
export async function deleteMessage(db: Database, actor: Actor, id: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    const message = await lockMessage(tx, id, ['draft']);
    await audit(tx, actor, 'message.deleted', message);
    await tx.query('delete from message where id = $1', [id]);
  });
}

/**
 * Mails a message to the administrator who asks, in each of its languages. Sending needs that for its last
 * revision.
 *
 * @throws AppError `not_found`, `message_state`, `account_disabled`, `admin_only`
 */
export async function requestTest(db: Database, actor: Actor, id: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    const message = await lockMessage(tx, id, ['draft']);
    const entry_id = await audit(tx, actor, 'message.tested', message);
    const { revision } = message;
    await emit(tx, 'message.test_requested', { message_id: id, entry_id, revision });
  });
}

/** Records that a revision was mailed as a test. Does nothing when it was changed since. */
export async function recordTested(db: Queryable, id: string, revision: number): Promise<void> {
  await db.query('update message set tested_revision = $2 where id = $1 and revision = $2', [
    id,
    revision,
  ]);
}

/**
 * Locks a message until the transaction ends.
 *
 * @throws AppError `not_found`; `message_state` when its state is none of `states`
 */
export async function lockMessage(
  tx: Transaction,
  id: string,
  states: readonly MessageRow['state'][],
): Promise<MessageRecord> {
  await tx.query('select from message where id = $1 for update', [id]);
  const message = await readMessage(tx, id);
  if (!states.includes(message.state)) {
    throw new AppError('message_state', { details: { state: message.state } });
  }
  return message;
}

/** Records what an administrator did with a message. @returns the entry's id */
export function audit(
  tx: Transaction,
  actor: Actor,
  action: `message.${'created' | 'edited' | 'deleted' | 'tested' | 'started' | 'stopped'}`,
  { id, kind, audience, texts, revision, total }: MessageRow,
): Promise<string> {
  const languages = languagesOf(texts);
  return recordAction(tx, {
    actor,
    action,
    subject: id,
    details: {
      kind,
      audience,
      languages,
      subject: texts[languages[0]!]!.subject,
      revision,
      ...(total !== null && { total }),
    },
  });
}
