import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Queryable, Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';

/** A deletion that is not complete, or not confirmed by mail yet. */
interface AccountDeletion {
  account_id: string;
  /** The address for the confirmation, which is stored nowhere else any more; or the placeholder. */
  email: string;
  language: AppLanguage;
  by_administrator: boolean;
  /** The service deleted it because it was not used. */
  by_inactivity: boolean;
  /** Null while the deletion is not complete. */
  completed_at: Date | null;
}

/** The address of a deleted account. No real address can be under .invalid (RFC 2606). */
export const placeholderOf = (accountId: string) => `deleted-${accountId}@invalid`;

/** Where the deletion is confirmed by mail. */
interface Confirmation {
  /**
   * Who deletes the account; `inactivity`: the service, because it was not used. A payer displaces an account
   * that never proved its address, and a backup may bring back one that was deleted; no mail is sent.
   */
  by: 'learner' | 'administrator' | 'inactivity' | 'payer' | 'restore';
  /**
   * The address that the learner has proved; null for none. It takes precedence over the account's
   * address, which may be older.
   */
  verified: string | null;
  /** Stored in place of an address when no mail is sent. */
  placeholder: string;
}

/**
 * Records the start of a deletion, so that it is completed even if this process dies, and the address for
 * its confirmation, before the account loses that. Repeated sign-ups and deletions under a stranger's
 * address must not send mails: an address that was never verified and never had access gets none. When an
 * administrator or the service deletes the account, an unverified address gets a mail only if it has paid.
 */
export async function beginDeletion(
  tx: Transaction,
  accountId: string,
  { by, verified, placeholder }: Confirmation,
): Promise<void> {
  await tx.query(
    `insert into account_deletion (account_id, email, language, by_administrator, by_inactivity)
     select id, coalesce($2, case when exists (
         select from credit where account_id = $1
           and ($4 = 'learner'
             or ($4 in ('administrator', 'inactivity') and payment_id is not null)))
       then email else $3 end), language, $4 = 'administrator', $4 = 'inactivity'
     from account where id = $1`,
    [accountId, verified, placeholder, by],
  );
}

/**
 * Records that the deletion is complete, and emits the event for the confirmation by mail, once.
 *
 * @param placeholder stored in place of an address when no mail is sent
 */
export async function endDeletion(
  tx: Transaction,
  accountId: string,
  placeholder: string,
): Promise<void> {
  const { rows } = await tx.query<{ email: string }>(
    `update account_deletion set completed_at = clock_timestamp()
     where account_id = $1 and completed_at is null returning email`,
    [accountId],
  );
  const [deletion] = rows;
  if (deletion?.email === placeholder) await forgetDeletion(tx, accountId);
  else if (deletion) await emit(tx, 'account.deleted', { account_id: accountId });
}

/** The deletion of an account that is not complete or not confirmed yet; null for none. */
export async function findDeletion(
  db: Queryable,
  accountId: string,
): Promise<AccountDeletion | null> {
  const { rows } = await db.query<AccountDeletion>(
    `select account_id, email, language, by_administrator, by_inactivity, completed_at from account_deletion
     where account_id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** Deletes the record of a deletion, with its address. */
export async function forgetDeletion(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('delete from account_deletion where account_id = $1', [accountId]);
}

/** A deletion runs within a call, which does not last this long: an older one was interrupted. */
const INTERRUPTED_AFTER = '2 minutes';

/** Emits events that make the workers complete interrupted deletions. */
export async function findInterruptedDeletions(tx: Transaction): Promise<void> {
  await tx.query(
    `insert into outbox (name, payload)
     select 'account.deletion_interrupted', jsonb_build_object('account_id', account_id)
     from account_deletion
     where completed_at is null and begun_at < clock_timestamp() - $1::interval
     order by begun_at limit 100`,
    [INTERRUPTED_AFTER],
  );
}

/** Longer than the three days after which an undeliverable mail is given up. */
const RETENTION = '4 days';

/** Deletes the addresses of deletions that could not be confirmed. */
export async function forgetDeletions(tx: Transaction): Promise<void> {
  await tx.query(
    'delete from account_deletion where completed_at < clock_timestamp() - $1::interval',
    [RETENTION],
  );
}

/**
 * Displaces an account that was created under an address that its user never proved. It becomes a
 * tombstone: its tokens are refused from the commit on. The payments queue then erases its data, as after
 * a deletion, without a mail. The caller holds the account's lock.
 *
 * @param freeUid whether the identity is kept for a new account; otherwise it is deleted too
 */
export async function displaceAccount(
  tx: Transaction,
  accountId: string,
  { freeUid }: { freeUid: boolean },
): Promise<void> {
  const placeholder = placeholderOf(accountId);
  await tx.query(
    `update account set state = 'deleted', email = $2, display_name = null, last_seen_on = null,
       inactive_asked_at = null, inactive_warned_at = null,
       uid = case when $3 then 'displaced-' || id else uid end
     where id = $1`,
    [accountId, placeholder, freeUid],
  );
  await beginDeletion(tx, accountId, { by: 'payer', verified: null, placeholder });
  await emit(tx, 'account.changed', { account_id: accountId });
  await emit(tx, 'account.deletion_interrupted', { account_id: accountId });
}
