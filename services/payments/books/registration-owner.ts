import { randomBytes } from 'node:crypto';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { lockOrCreateAccount } from '#accounts/access.ts';
import { readAccount } from '#accounts/account.ts';
import { displaceAccount } from '#accounts/account-deletion.ts';
import { holdsCredit } from '#accounts/credit-ledger.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider, IdentityUser, NewIdentity } from '#identity/identity-provider.ts';
import { RESERVED_MS } from '#payments/codes/code.ts';
import type { Payment, PaymentDeps } from '#payments/payment.ts';

type OwnerDeps = Pick<PaymentDeps, 'db' | 'identity'>;

/** A registration that was paid for, by its learner or with a code. */
export interface PaidRegistration extends Pick<
  Payment,
  'email' | 'username' | 'language' | 'address_reclaimed'
> {
  /** The table that records whether the address was reclaimed. */
  source: 'payment' | 'access_code';
  /** The uid of a new identity: the id of the payment, or of the registration for which the code is reserved. */
  id: string;
}

/** The owner of the account that a paid registration creates or extends. */
export interface Owner {
  uid: string;
  email: string;
  displayName: string | null;
  language: AppLanguage;
  /** The address already had a user. */
  existed: boolean;
  emailVerified: boolean;
  /** Tokens from earlier sign-ins are not the owner's; null when unknown. */
  tokensValidAfter: Date | null;
}

/** What is known of the identity that has a registration's address. */
type HolderKind =
  /** Created by this registration, now or in an earlier attempt. */
  | 'registration'
  /** Its user has proved ownership of the address. */
  | 'verified'
  /** Unverified, but paid for, or an administrator granted it days or disabled it. */
  | 'kept'
  /** May have been created by a stranger. */
  | 'unproven';

interface Holder {
  kind: HolderKind;
  user: Pick<IdentityUser, 'uid' | 'email' | 'emailVerified' | 'tokensValidAfter'>;
}

/**
 * Creates the identity of a registration, or finds the existing one with its address, and classifies
 * it. Every registration is decided here: a paid one replaces an `unproven` identity; a free one proves
 * nothing and replaces nothing.
 *
 * The uid is the same in every attempt, so concurrent or crashed callers end with one user.
 *
 * @returns null when another call has just removed the identity: the next attempt creates one
 * @throws AppError `identity_provider_failed`, `email_refused`, `password_refused`
 */
export async function findHolder(
  { db, identity }: OwnerDeps,
  newIdentity: NewIdentity,
): Promise<Holder | null> {
  const outcome = await identity.createUser(newIdentity);
  const created = { ...newIdentity, emailVerified: false, tokensValidAfter: null };
  if (outcome === 'created') return { kind: 'registration', user: created };
  const own = await setFirstPassword(identity, newIdentity.uid, newIdentity.password);
  if (own) return { kind: 'registration', user: own };
  const user = await identity.findByEmail(newIdentity.email);
  if (!user) return null;
  if (user.uid === newIdentity.uid) return { kind: 'registration', user };
  if (user.emailVerified) return { kind: 'verified', user };
  return { kind: (await keepsAccount(db, user)) ? 'kept' : 'unproven', user };
}

/** Whether an unverified identity keeps its account. */
async function keepsAccount(db: Database, { uid, disabled }: IdentityUser): Promise<boolean> {
  if (disabled) return true;
  // The last two conditions are another registration's identity that is about to get its days.
  const { rows } = await db.query<{ kept: boolean }>(
    `select exists (select from account where uid = $1 and state = 'disabled')
         or exists (select from account join credit on account_id = account.id
                    where uid = $1 and state <> 'deleted' and days > days_taken_back)
         or exists (select from payment
                    where id = case when $1 ~ '^[0-9a-f-]{36}$' then $1::uuid end
                      and purpose = 'registration' and state = 'open')
         or exists (select from access_code
                    where registration_id = case when $1 ~ '^[0-9a-f-]{36}$' then $1::uuid end
                      and redeemed_at is null
                      and reserved_at > clock_timestamp() - make_interval(secs => ${RESERVED_MS / 1000})
                   ) as kept`,
    [uid],
  );
  return rows[0]!.kept;
}

/** Other calls may remove or create the identity at the same time. */
const MAX_ATTEMPTS = 6;

/**
 * Creates or finds the identity of a paid registration. An unproven identity is removed with its
 * account: first the account, which then rejects the tokens, then the identity. The new identity has no
 * password: after settlement its owner gets a mail with a link to choose one. The payment records the
 * reclaim before the first step, so that a later attempt completes it after a crash.
 *
 * @param password chosen by the learner, when the learner is the caller
 * @throws AppError `identity_provider_failed`, `email_refused`, `password_refused`
 */
export async function ensureOwner(
  deps: OwnerDeps,
  registration: PaidRegistration,
  password: string | undefined,
): Promise<Owner> {
  const email = registration.email ?? '';
  const { id, username: displayName, language } = registration;
  let reclaimed = registration.address_reclaimed;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const chosen = reclaimed ? undefined : password;
    const newIdentity = { uid: id, email, displayName: displayName ?? email, password: chosen };
    const holder = await findHolder(deps, newIdentity);
    if (!holder || holder.kind === 'unproven') {
      if (holder) await reclaimAddress(deps, registration, holder.user.uid);
      reclaimed = await wasReclaimed(deps.db, registration);
      continue;
    }
    const { kind, user } = holder;
    if (chosen && kind === 'registration' && (await wasReclaimed(deps.db, registration))) {
      // Another call reclaimed the address after this one read it and before it created the identity.
      await deps.identity.setPassword(id, randomPassword());
      reclaimed = true;
    }
    const { uid, emailVerified, tokensValidAfter } = user;
    const existed = reclaimed || kind !== 'registration';
    return { uid, email, displayName, language, existed, emailVerified, tokensValidAfter };
  }
  throw new AppError('identity_provider_failed');
}

const ID_COLUMN = { payment: 'id', access_code: 'registration_id' } as const;

async function reclaimAddress(
  { db, identity }: OwnerDeps,
  { source, id, email }: PaidRegistration,
  uid: string,
): Promise<void> {
  const user = await identity.findByUid(uid);
  if (!user || user.email !== email || user.emailVerified) return;
  const isReclaimed = await withTransaction(db, async (tx) => {
    const account = await lockOrCreateAccount(tx, uid, user);
    if (account.state === 'disabled') return false;
    if (account.state === 'active') {
      if (await holdsCredit(tx, account.id)) return false;
      await displaceAccount(tx, account.id, { freeUid: false });
    }
    await tx.query(
      `update ${source} set address_reclaimed = true where ${ID_COLUMN[source]} = $1`,
      [id],
    );
    return true;
  });
  if (isReclaimed) await identity.deleteUser(uid);
}

async function wasReclaimed(
  db: Database,
  { source, id }: Pick<PaidRegistration, 'source' | 'id'>,
): Promise<boolean> {
  const { rows } = await db.query<{ address_reclaimed: boolean }>(
    `select address_reclaimed from ${source} where ${ID_COLUMN[source]} = $1`,
    [id],
  );
  return rows[0]?.address_reclaimed ?? false;
}

const randomPassword = () => randomBytes(32).toString('base64url');

/**
 * Sets the password of a registration that was settled before this call. Creates no identity: one that was
 * deleted with its account stays deleted. For a reclaimed address only the mailed link sets a password.
 *
 * @throws AppError `account_disabled`
 */
export async function setPasswordAfterSettlement(
  { db, identity }: OwnerDeps,
  payment: Pick<Payment, 'id' | 'account_id' | 'address_reclaimed'>,
  password: string,
): Promise<void> {
  const account = await readAccount(db, payment.account_id!);
  if (account.state !== 'active') throw new AppError('account_disabled');
  if (account.uid !== payment.id || payment.address_reclaimed) return;
  await setFirstPassword(identity, account.uid, password);
}

/**
 * Sets the password of a registration's user that has none yet because the webhook came first. An
 * existing password is kept: its owner may have chosen it by the mailed link.
 *
 * @returns the user; null when there is none
 */
async function setFirstPassword(
  provider: IdentityProvider,
  uid: string,
  password: string | undefined,
): Promise<IdentityUser | null> {
  const user = await provider.findByUid(uid);
  if (user && password && !user.hasPassword && !user.hasSignedIn) {
    await provider.setPassword(uid, password);
  }
  return user;
}
