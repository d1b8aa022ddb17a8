import type { Database } from '#database/pool.ts';
import { withTransaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import { NEXT_SECOND } from '#accounts/sessions.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { deleteRestored } from './delete-user.ts';

// After a restore, accounts that were deleted since the backup are back, and those that were disabled since are active.
// The identity provider was not restored: it still knows.

/** An account that differs from its user at the identity provider. */
export interface RestoredAccount {
  id: string;
  uid: string;
  email: string;
  registered_at: Date;
  /** `gone`: there is no such user. `disabled`: the user may not sign in, and the account is active. */
  user: 'gone' | 'disabled';
}

interface Comparison {
  /** Accounts that were looked at: all that are not deleted. */
  accounts: number;
  differing: RestoredAccount[];
}

/** Accounts in a page; the most that the provider looks up in one call. */
const PAGE = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Finds the accounts whose users are gone or disabled at the identity provider.
 *
 * @throws AppError `identity_provider_failed`
 */
export async function compareWithUsers({
  db,
  identity,
}: Pick<PaymentDeps, 'db' | 'identity'>): Promise<Comparison> {
  const found: Comparison = { accounts: 0, differing: [] };
  for (let after = FIRST; ;) {
    const page = await readPage(db, after);
    if (page.length === 0) return found;
    const users = await identity.findUsers(page.map(({ uid }) => uid));
    const known = new Map(users.map((user) => [user.uid, user]));
    found.accounts += page.length;
    for (const { state, ...account } of page) {
      const user = known.get(account.uid);
      if (!user) found.differing.push({ ...account, user: 'gone' });
      else if (user.disabled && state === 'active') {
        found.differing.push({ ...account, user: 'disabled' });
      }
    }
    after = page.at(-1)!.id;
  }
}

type Page = (Omit<RestoredAccount, 'user'> & { state: 'active' | 'disabled' })[];

async function readPage(db: Database, after: string): Promise<Page> {
  const { rows } = await db.query<Page[number]>(
    `select id, uid, email, registered_at, state from account
     where state <> 'deleted' and id > $1 order by id limit ${PAGE}`,
    [after],
  );
  return rows;
}

/**
 * Deletes the account, or disables it, as its user is at the identity provider by now. No mail is sent: there was one
 * when it happened.
 *
 * @returns whether it still differed
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
export async function alignWithUser(
  deps: PaymentDeps,
  { id, uid }: Pick<RestoredAccount, 'id' | 'uid'>,
): Promise<boolean> {
  const user = await deps.identity.findByUid(uid);
  if (!user) return deleteRestored(deps, { accountId: id, uid });
  if (!user.disabled) return false;
  return withTransaction(deps.db, async (tx) => {
    const { rowCount } = await tx.query(
      `update account set state = 'disabled', tokens_valid_after = ${NEXT_SECOND}
       where id = $1 and state = 'active'`,
      [id],
    );
    if (rowCount) await emit(tx, 'account.changed', { account_id: id });
    return rowCount === 1;
  });
}
