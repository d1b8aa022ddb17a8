import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import type { Limits } from '#limits/limits.ts';
import { readAccount, type Account } from './account.ts';
import type { Language } from './language.ts';
import { countProfileChange } from './limited-calls.ts';
import type { UserDeps } from './user.ts';

export interface ProfileChange {
  /** Null takes the name away; left out, it stays. */
  displayName?: string | null | undefined;
  /** What we write to them in; left out, it stays. */
  language?: Language | undefined;
}

/**
 * Changes what a learner may say of themselves. The name is the sign-in service's too, and is told
 * there afterwards: what was saved here stays, and the same call tells it again.
 *
 * @throws AppError `validation_failed` for a blank name, `rate_limited` with `retry_after_s`,
 *   `identity_provider_failed` with `details.saved` when only we know the new name
 */
export async function changeProfile(
  { db, identity, limits }: UserDeps & { limits: Limits },
  { id, uid }: Pick<Account, 'id' | 'uid'>,
  { displayName, language }: ProfileChange,
): Promise<Account> {
  const name = displayName === undefined ? undefined : nameOf(displayName);
  await countProfileChange({ db, limits }, id);
  const account = await withTransaction(db, async (tx) => {
    // What an administrator deletes meanwhile stays deleted.
    const { rowCount } = await tx.query(
      `update account set
         display_name = case when $2 then $3 else display_name end,
         language = coalesce($4, language)
       where id = $1 and state = 'active'`,
      [id, name !== undefined, name ?? null, language ?? null],
    );
    if (rowCount === 0) throw new AppError('account_disabled');
    await emit(tx, 'account.changed', { account_id: id });
    return readAccount(tx, id);
  });
  if (name !== undefined) await tellProvider(identity, uid, name);
  return account;
}

function nameOf(displayName: string | null): string | null {
  const name = displayName?.trim();
  if (name !== '') return name ?? null;
  throw new AppError('validation_failed', {
    message: 'display_name is blank; null takes the name away',
    details: { field: 'display_name', part: 'body' },
  });
}

async function tellProvider(
  identity: UserDeps['identity'],
  uid: string,
  name: string | null,
): Promise<void> {
  await identity.setDisplayName(uid, name).catch((cause: unknown) => {
    throw new AppError('identity_provider_failed', {
      message: 'The name is saved, but not yet at the sign-in service. Save it again.',
      details: { saved: true },
      cause,
    });
  });
}
