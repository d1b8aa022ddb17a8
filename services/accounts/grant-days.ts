import { type Actor, nameOf } from '#audit/actor.ts';
import { DELETED_NAME, recordAction } from '#audit/record-action.ts';
import { type Queryable, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { lockOrCreateAccount } from './access.ts';
import { addCredit } from './credit-ledger.ts';
import type { UserDeps } from './users.ts';

export interface GrantOrder {
  /** One user, or all users whose service is active. */
  to: { audience: 'account'; uid: string } | { audience: 'active' };
  /** Days of 24 hours. */
  days: number;
  note: string;
  /** Idempotency key: the same order sent again returns the same grant. */
  key: string;
  actor: Actor;
}

/** A grant of days, without a payment. */
export interface Grant {
  id: string;
  audience: 'account' | 'active';
  days: number;
  note: string | null;
  /** The number of accounts that got the days. */
  accounts: number;
  created_by: string;
  created_at: Date;
}

/**
 * Grants days of service in one transaction, once for each idempotency key. A grant to one user emits
 * `account.changed`, which updates open screens. A grant to all active users does not: a hundred thousand
 * events would make as many screens reload at once, so they show it at the next load.
 *
 * @throws AppError `user_not_found`, also for a deleted user; `identity_provider_failed`;
 *   `validation_failed` for the key of another grant
 */
export async function grantDays(deps: UserDeps, order: GrantOrder): Promise<Grant> {
  const { to } = order;
  const identity = to.audience === 'account' ? await deps.identity.findByUid(to.uid) : null;
  return withTransaction(deps.db, async (tx) => {
    const id = await insertGrant(tx, order);
    if (!id) return readRepeated(tx, order);
    const granted =
      to.audience === 'active'
        ? { subject: 'active', accounts: await grantToActive(tx, id, order.days) }
        : await grantToOne(tx, id, order.days, await lockOrCreateAccount(tx, to.uid, identity));
    const { rows } = await tx.query<Grant>(
      'update service_grant set accounts = $2 where id = $1 returning *',
      [id, granted.accounts],
    );
    await recordAction(tx, {
      actor: order.actor,
      action: 'days.granted',
      subject: granted.subject,
      details: { days: order.days, accounts: granted.accounts, note: order.note },
    });
    return rows[0]!;
  });
}

/** Returns null when there is a grant with this key; waits for a concurrent one. */
async function insertGrant(tx: Transaction, { key, to, days, note, actor }: GrantOrder) {
  const { rows } = await tx.query<{ id: string }>(
    `insert into service_grant (client_key, audience, days, note, created_by)
     values ($1, $2, $3, $4, $5) on conflict (client_key) do nothing returning id`,
    [key, to.audience, days, note, nameOf(actor)],
  );
  return rows[0]?.id ?? null;
}

/** The grant of an order that is sent again. */
async function readRepeated(tx: Transaction, { key, to, days, note }: GrantOrder): Promise<Grant> {
  const { rows } = await tx.query<Grant>(
    `select * from service_grant
     where client_key = $1 and audience = $2 and days = $3 and note = $4
       and ($5::text is null or exists (
         select from credit join account on account.id = credit.account_id
         where credit.grant_id = service_grant.id and account.uid = $5))`,
    [key, to.audience, days, note, to.audience === 'account' ? to.uid : null],
  );
  if (rows[0]) return rows[0];
  throw new AppError('validation_failed', {
    message: 'idempotency-key is that of another grant',
    details: { field: 'idempotency-key', part: 'headers' },
  });
}

const ACTIVE = `state = 'active' and service_expires_at > statement_timestamp()`;

/**
 * Adds the credits and moves each expiry by the same days. This equals the formula of the ledger, because
 * the last credit of an account starts at the later of its own time and the running expiry.
 */
async function grantToActive(tx: Transaction, grantId: string, days: number): Promise<number> {
  // 100,000 accounts take about ten seconds, longer than the pool's statement timeout.
  await tx.query(`set local statement_timeout = '5min'`);
  // Accounts are locked in the order of their ids, so that two grants do not deadlock. Each credit's time is
  // later than its lock, so that it is the last credit of its account.
  await tx.query(
    `insert into credit (account_id, grant_id, reason, days)
     select id, $1, 'grant', $2
     from (select id from account where ${ACTIVE} order by id for update) locked`,
    [grantId, days],
  );
  // A second statement, to see payments that were settled while the first one waited for its locks.
  const { rowCount } = await tx.query(
    `update account set service_expires_at =
       greatest(account.service_expires_at, credit.credited_at) + credit.days * interval '24 hours'
     from credit where credit.grant_id = $1 and account.id = credit.account_id`,
    [grantId],
  );
  return rowCount ?? 0;
}

async function grantToOne(
  tx: Transaction,
  grantId: string,
  days: number,
  account: Awaited<ReturnType<typeof lockOrCreateAccount>>,
): Promise<{ subject: string; accounts: number }> {
  const { id: accountId, email, state } = account;
  if (state === 'deleted') throw new AppError('user_not_found');
  await addCredit(tx, { accountId, paymentId: null, grantId, days });
  await emit(tx, 'account.changed', { account_id: accountId });
  return { subject: email, accounts: 1 };
}

/** The number of accounts that a grant to all active users would reach now. */
export async function countActive(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ accounts: number }>(
    `select count(*)::int as accounts from account where ${ACTIVE}`,
  );
  return rows[0]!.accounts;
}

/** The privacy page states it, as for the audit log. */
const NOTE_RETENTION = '2 years';

/** Removes from old grants why they were made, and by which administrator. Their days stay. */
export async function forgetGrantNotes(tx: Transaction): Promise<void> {
  await tx.query(
    `update service_grant set note = null, created_by = $1
     where created_at < clock_timestamp() - $2::interval and created_by <> $1`,
    [DELETED_NAME, NOTE_RETENTION],
  );
}
