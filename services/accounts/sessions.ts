import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import type { VerifiedIdentity } from '#identity/verified-identity.ts';

/**
 * Refuses a token from a sign-in before the sessions of its account were ended.
 *
 * @throws AppError `token_invalid`
 */
export function refuseEndedSession(
  { tokens_valid_after: validAfter }: { tokens_valid_after: Date | null },
  { signedInAt }: Pick<VerifiedIdentity, 'signedInAt'>,
): void {
  if (validAfter && signedInAt < validAfter.getTime()) throw new AppError('token_invalid');
}

/** Refuses tokens from sign-ins before a moment; one that is refused already stays refused. */
export async function endSessionsBefore(
  tx: Transaction,
  accountId: string,
  moment: Date,
): Promise<void> {
  const { rowCount } = await tx.query(
    `update account set tokens_valid_after = $2
     where id = $1 and (tokens_valid_after is null or tokens_valid_after < $2)`,
    [accountId, moment],
  );
  if (rowCount === 1) await emit(tx, 'account.changed', { account_id: accountId });
}
