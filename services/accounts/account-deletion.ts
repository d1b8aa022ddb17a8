import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Queryable, Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';

/** A deletion that is under way, or that its learner is not told of yet. */
interface AccountDeletion {
  account_id: string;
  /** Where it is confirmed, or the placeholder: nothing else has it any more. */
  email: string;
  language: AppLanguage;
  by_administrator: boolean;
  /** Null while something is left to do. */
  completed_at: Date | null;
}

/** The address of a deleted account. None can exist under .invalid (RFC 2606). */
export const placeholderOf = (accountId: string) => `deleted-${accountId}@invalid`;

/** Where a deletion is confirmed. */
interface Confirmation {
  /** Who deletes it; a payer takes an address from an account that never proved it, which is not confirmed. */
  by: 'learner' | 'administrator' | 'payer';
  /** The address that the identity has shown to be the learner's; null for none. Goes before the account's address, which may not have followed a change yet. */
  verified: string | null;
  /** The address that stands where nothing is confirmed. */
  placeholder: string;
}

/**
 * Notes that a deletion has begun, so that it is completed whatever happens to this process, and where
 * it is to be confirmed, before the account forgets its address. Anybody can sign up with any address,
 * delete that and begin again: no mail goes to an address that was never verified and never had access. Of an
 * administrator's deletion only a payer is told without having verified the address.
 */
export async function beginDeletion(
  tx: Transaction,
  accountId: string,
  { by, verified, placeholder }: Confirmation,
): Promise<void> {
  await tx.query(
    `insert into account_deletion (account_id, email, language, by_administrator)
     select id, coalesce($2, case when exists (
         select from credit where account_id = $1
           and ($4 = 'learner' or ($4 = 'administrator' and payment_id is not null)))
       then email else $3 end), language, $4 = 'administrator'
     from account where id = $1`,
    [accountId, verified, placeholder, by],
  );
}

/**
 * Notes that nothing is left of the account, and lets that be confirmed by mail, once.
 *
 * @param placeholder what stands where nothing is confirmed
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

/** A deletion that is under way or not confirmed yet; null for none. */
export async function findDeletion(
  db: Queryable,
  accountId: string,
): Promise<AccountDeletion | null> {
  const { rows } = await db.query<AccountDeletion>(
    `select account_id, email, language, by_administrator, completed_at from account_deletion
     where account_id = $1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** Forgets where a deletion was confirmed. */
export async function forgetDeletion(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('delete from account_deletion where account_id = $1', [accountId]);
}

/** The caller who deletes an account waits for it; after so long none does. */
const INTERRUPTED_AFTER = '2 minutes';

/** Asks for what deletions that were interrupted have left to be done. */
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

/** A mail that was not taken for three days is given up. */
const KEPT = '4 days';

/** Forgets the addresses of deletions that could not be confirmed. */
export async function forgetDeletions(tx: Transaction): Promise<void> {
  await tx.query(
    'delete from account_deletion where completed_at < clock_timestamp() - $1::interval',
    [KEPT],
  );
}

/**
 * Takes an account away from the person who made it under an address that they never proved. It
 * becomes a tombstone, which refuses their tokens from the commit on; the payments queue then erases
 * what is in it, as after a deletion, and no mail is sent about it. The caller holds the account's lock.
 *
 * @param freeUid whether the identity stays and gets another account; otherwise it is deleted too
 */
export async function displaceAccount(
  tx: Transaction,
  accountId: string,
  { freeUid }: { freeUid: boolean },
): Promise<void> {
  const placeholder = placeholderOf(accountId);
  await tx.query(
    `update account set state = 'deleted', email = $2, display_name = null,
       uid = case when $3 then 'displaced-' || id else uid end
     where id = $1`,
    [accountId, placeholder, freeUid],
  );
  await beginDeletion(tx, accountId, { by: 'payer', verified: null, placeholder });
  await emit(tx, 'account.changed', { account_id: accountId });
  await emit(tx, 'account.deletion_interrupted', { account_id: accountId });
}
