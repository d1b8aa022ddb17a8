import { randomBytes } from 'node:crypto';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { lockAccount } from '#accounts/access.ts';
import { readAccount } from '#accounts/account.ts';
import { displaceAccount } from '#accounts/account-deletion.ts';
import { holdsCredit } from '#accounts/credit-ledger.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { IdentityProvider, IdentityUser, NewIdentity } from '#identity/identity-provider.ts';
import type { Payment, PaymentDeps } from '#payments/payment.ts';

type OwnerDeps = Pick<PaymentDeps, 'db' | 'identity'>;

/** Whose account a paid registration becomes. */
export interface Owner {
  uid: string;
  email: string;
  displayName: string | null;
  language: AppLanguage;
  /** The address had a user before. */
  existed: boolean;
  emailVerified: boolean;
  /** Tokens from sign-ins before it are not the owner's; null where that is not known. */
  tokensValidAfter: Date | null;
}

/** Whose the identity is that has the address of a registration. */
type HolderKind =
  /** This registration made it, now or at an earlier try. */
  | 'registration'
  /** Its user has shown that the address is theirs. */
  | 'verified'
  /** Unverified; but it was paid for, or an administrator granted it days or disabled it. */
  | 'kept'
  /** A stranger may have made it. */
  | 'unproven';

interface Holder {
  kind: HolderKind;
  user: Pick<IdentityUser, 'uid' | 'email' | 'emailVerified' | 'tokensValidAfter'>;
}

/**
 * Makes the identity of a registration, or finds the one that its address has, and says whose it is.
 * Every registration is decided here: a paid one takes an `unproven` identity away, a free one proves
 * nothing and takes nothing.
 *
 * The uid is chosen by us and the same on every try, so that many callers, or one that crashed, end
 * with one user.
 *
 * @returns null when another call has just removed the identity: the next try makes one
 * @throws AppError `identity_provider_failed`, `email_refused`, `password_refused`
 */
export async function findHolder(
  { db, identity }: OwnerDeps,
  wanted: NewIdentity,
): Promise<Holder | null> {
  const outcome = await identity.createUser(wanted);
  const made = { ...wanted, emailVerified: false, tokensValidAfter: null };
  if (outcome === 'created') return { kind: 'registration', user: made };
  const own = await choosePassword(identity, wanted.uid, wanted.password);
  if (own) return { kind: 'registration', user: own };
  const user = await identity.findByEmail(wanted.email);
  if (!user) return null;
  if (user.uid === wanted.uid) return { kind: 'registration', user };
  if (user.emailVerified) return { kind: 'verified', user };
  return { kind: (await isKept(db, user)) ? 'kept' : 'unproven', user };
}

/** Whether an unverified identity keeps its account. */
async function isKept(db: Database, { uid, disabled }: IdentityUser): Promise<boolean> {
  if (disabled) return true;
  // Another registration's identity, which was paid for and is about to get its days.
  const { rows } = await db.query<{ kept: boolean }>(
    `select exists (select from account where uid = $1 and state = 'disabled')
         or exists (select from account join credit on account_id = account.id
                    where uid = $1 and state <> 'deleted' and days > days_taken_back)
         or exists (select from payment
                    where id = case when $1 ~ '^[0-9a-f-]{36}$' then $1::uuid end
                      and purpose = 'registration' and state = 'open') as kept`,
    [uid],
  );
  return rows[0]!.kept;
}

/** Others may remove or make the address's identity at the same time; a later call goes on after that. */
const MAX_TRIES = 6;

/**
 * Makes or finds the identity that a paid registration belongs to. An unproven one is removed with its
 * account: first the account, which refuses the tokens from then on, then the identity. The new one has
 * no password; its owner is mailed the link to choose one when the payment is settled. The payment says
 * so from the first step on, so that a crash between any two steps is finished by the next try.
 *
 * @param password what the learner chose, when the learner is the caller
 * @throws AppError `identity_provider_failed`, `email_refused`, `password_refused`
 */
export async function ensureOwner(
  deps: OwnerDeps,
  payment: Payment,
  password: string | undefined,
): Promise<Owner> {
  const email = payment.email ?? '';
  const { id, username: displayName, language } = payment;
  let reclaimed = payment.address_reclaimed;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const chosen = reclaimed ? undefined : password;
    const wanted = { uid: id, email, displayName: displayName ?? email, password: chosen };
    const holder = await findHolder(deps, wanted);
    if (!holder || holder.kind === 'unproven') {
      if (holder) await reclaimAddress(deps, payment, holder.user.uid);
      reclaimed = await wasReclaimed(deps.db, id);
      continue;
    }
    const { kind, user } = holder;
    if (chosen && kind === 'registration' && (await wasReclaimed(deps.db, id))) {
      // By another try, between this one's reading and its making of the identity.
      await deps.identity.setPassword(id, randomPassword());
      reclaimed = true;
    }
    const { uid, emailVerified, tokensValidAfter } = user;
    const existed = reclaimed || kind !== 'registration';
    return { uid, email, displayName, language, existed, emailVerified, tokensValidAfter };
  }
  throw new AppError('identity_provider_failed');
}

async function reclaimAddress(
  { db, identity }: OwnerDeps,
  { id, email }: Payment,
  uid: string,
): Promise<void> {
  const user = await identity.findByUid(uid);
  if (!user || user.email !== email || user.emailVerified) return;
  const isTaken = await withTransaction(db, async (tx) => {
    const account = await lockAccount(tx, uid, user);
    if (account.state === 'disabled') return false;
    if (account.state === 'active') {
      if (await holdsCredit(tx, account.id)) return false;
      await displaceAccount(tx, account.id, { freeUid: false });
    }
    await tx.query('update payment set address_reclaimed = true where id = $1', [id]);
    return true;
  });
  if (isTaken) await identity.deleteUser(uid);
}

async function wasReclaimed(db: Database, paymentId: string): Promise<boolean> {
  const { rows } = await db.query<{ address_reclaimed: boolean }>(
    'select address_reclaimed from payment where id = $1',
    [paymentId],
  );
  return rows[0]?.address_reclaimed ?? false;
}

const randomPassword = () => randomBytes(32).toString('base64url');

/**
 * Sets the password of a registration that the webhook settled first. Makes no identity anew: that
 * of an account deleted since stays deleted. Where the address was reclaimed, only the mailed link
 * sets one.
 *
 * @throws AppError `account_disabled`
 */
export async function choosePasswordAfterwards(
  { db, identity }: OwnerDeps,
  payment: Payment,
  password: string,
): Promise<void> {
  const account = await readAccount(db, payment.account_id!);
  if (account.state !== 'active') throw new AppError('account_disabled');
  if (account.uid !== payment.id || payment.address_reclaimed) return;
  await choosePassword(identity, account.uid, password);
}

/**
 * Sets the password of a user that a registration made and that has none yet: the webhook was
 * first. Afterwards the password is its owner's, who may have chosen it by the mailed link.
 *
 * @returns the user; null when there is none
 */
async function choosePassword(
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
