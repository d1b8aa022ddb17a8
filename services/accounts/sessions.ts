import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { IdentityProvider, IdentityUser } from '#identity/identity-provider.ts';
import type { VerifiedIdentity } from '#identity/verify-token.ts';

/**
 * Refuses a token from a sign-in before the account's sessions were revoked.
 *
 * @throws AppError `token_invalid`
 */
export function refuseEndedSession(
  { tokens_valid_after: validAfter }: { tokens_valid_after: Date | null },
  { signedInAt }: Pick<VerifiedIdentity, 'signedInAt'>,
): void {
  if (validAfter && signedInAt < validAfter.getTime()) throw new AppError('token_invalid');
}

/** Revokes the sessions from sign-ins before a time. An earlier time changes nothing. */
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

/**
 * SQL: the time from which on sign-ins are accepted when sessions are revoked now. Sign-in times are whole
 * seconds, so a sign-in within the current second may have come before or after.
 */
export const NEXT_SECOND = `date_trunc('second', clock_timestamp()) + interval '1 second'`;

/**
 * Revokes all sessions of an account. Its live updates end as well.
 *
 * @returns after how many milliseconds a new sign-in is accepted: at most 1000
 */
export async function endSessions(tx: Transaction, accountId: string): Promise<number> {
  const { rows } = await tx.query<{ ms: number }>(
    `update account set tokens_valid_after = greatest(tokens_valid_after, ${NEXT_SECOND})
     where id = $1
     returning ceil(extract(epoch from tokens_valid_after - clock_timestamp()) * 1000)::int as ms`,
    [accountId],
  );
  await emit(tx, 'account.changed', { account_id: accountId });
  return rows[0]?.ms ?? 0;
}

/** The identity provider looks up at most this many users in a call. */
const BATCH_SIZE = 100;

/**
 * Revokes sessions that the sign-in service has ended: after a password reset by a link, or when tokens are
 * revoked or a user is disabled or deleted in the Firebase console.
 *
 * @param sessions signed-in users, each with the time of the oldest sign-in among their tokens, in
 *   milliseconds since 1970
 * @throws AppError `identity_provider_failed`
 */
export async function endOutsideSessions(
  { db, identity }: { db: Database; identity: Pick<IdentityProvider, 'findUsers'> },
  sessions: ReadonlyMap<string, number>,
): Promise<void> {
  const uids = [...sessions.keys()];
  for (let start = 0; start < uids.length; start += BATCH_SIZE) {
    const batch = uids.slice(start, start + BATCH_SIZE);
    const identities = await identity.findUsers(batch);
    const users = new Map(identities.map((user) => [user.uid, user]));
    for (const uid of batch) {
      const user = users.get(uid);
      if (isEnded(user, sessions.get(uid)!)) await revokeAsAtProvider(db, uid, user);
    }
  }
}

function isEnded(user: IdentityUser | undefined, signedInAt: number): boolean {
  if (!user || user.disabled) return true;
  return user.tokensValidAfter !== null && user.tokensValidAfter.getTime() > signedInAt;
}

async function revokeAsAtProvider(
  db: Database,
  uid: string,
  user: IdentityUser | undefined,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `select id from account where uid = $1 and state = 'active' for update`,
      [uid],
    );
    const [account] = rows;
    if (!account) return;
    if (!user || user.disabled) await endSessions(tx, account.id);
    else await endSessionsBefore(tx, account.id, user.tokensValidAfter!);
  });
}
