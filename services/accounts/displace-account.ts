import type { Transaction } from '#database/pool.ts';
import { emit } from '#events/emit.ts';
import { beginDeletion, placeholderOf } from './account-deletion.ts';

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
