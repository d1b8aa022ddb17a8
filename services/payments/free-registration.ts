import type { AppLanguage } from '@proveklar/contract/language.ts';
import { type AccountSummary, createAccount, languageOfUser } from '#accounts/account.ts';
import type { WaitingDays } from '#accounts/credit-ledger.ts';
import { requestPasswordLink } from '#accounts/password-links.ts';
import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { rateLimitAddress } from '#limits/client-address.ts';
import {
  ALL_NETWORKS_FACTOR,
  throwIfLimited,
  secondsUntilAllowed,
  acquireCallerLocks,
} from '#limits/limits.ts';
import { readSettings } from '#settings/settings.ts';
import { findHolder } from './books/registration-owner.ts';
import { countBegunRegistration, type PaymentDeps } from './payment.ts';

/** A registration without a payment of its own: while the service is free, or with a code. */
export interface FreeRegistration {
  email: string;
  username: string;
  password: string;
  /** Norwegian by default. */
  language?: AppLanguage | undefined;
  /** The caller's IP address; for the rate limit. */
  clientAddress?: string | undefined;
}

export interface RegistrationResult {
  status: 'settled';
  account: AccountSummary;
  waitingDays: WaitingDays[];
  /** The address already had a user. */
  accountExisted: boolean;
  /**
   * That user had not proved the address and was removed: the learner gets a mail with a link to choose
   * a password. When false, the account was extended and keeps its password.
   */
  passwordMailed: boolean;
}

const NEW_FREE_ACCOUNT = { service_expires_at: null, is_active: true, days_remaining: 0 };

/**
 * Creates the account of a registration while the service is free.
 *
 * @throws AppError `validation_failed` when it is not free, `rate_limited`, `identity_provider_failed`
 */
export async function registerFree(
  deps: Pick<PaymentDeps, 'db' | 'identity' | 'limits'>,
  { email, username, password, language, clientAddress }: FreeRegistration,
): Promise<RegistrationResult> {
  const { price_ore } = await readSettings(deps.db);
  if (price_ore > 0) {
    throw new AppError('validation_failed', { details: { field: 'payment_intent_id' } });
  }
  const displayName = username.trim();
  const newIdentity = {
    uid: crypto.randomUUID(),
    email: email.toLowerCase(),
    displayName,
    password,
  };
  await countFreeRegistration(deps, { email: newIdentity.email, clientAddress });
  const holder = await findHolder(deps, newIdentity);
  if (!holder) throw new AppError('identity_provider_failed');
  const answer = {
    status: 'settled' as const,
    waitingDays: [],
    accountExisted: false,
    passwordMailed: false,
  };
  if (holder.kind !== 'registration') {
    // Nothing was paid, so the caller may be a stranger. The existing user is left alone, even an
    // unproven one, who may be a learner of the free period. The owner of the address gets a mail with a
    // link to choose a new password. The answer is that of a new account, even when no mail is sent because
    // the user is disabled.
    const ownLanguage = await languageOfUser(deps.db, holder.user.uid, language);
    const request = { email: newIdentity.email, language: ownLanguage };
    await withTransaction(deps.db, (tx) =>
      requestPasswordLink(tx, { ...request, reason: 'registered_again' }),
    );
    const account = { ...NEW_FREE_ACCOUNT, registered_at: new Date() };
    return { ...answer, account };
  }
  const unproven = { emailVerified: false, language };
  return { ...answer, account: await createAccount(deps.db, { ...newIdentity, ...unproven }) };
}

const FROM_SAME_NETWORK = 'email = $2 and client_address is not distinct from $1';

/**
 * Rate limits registrations without payment, by the limits on payments: each creates a user or mails
 * the owner of the address. It counts attempts and not users, so that the answer does not reveal whether
 * the address has a user. As for payments, one network cannot use up the attempts of the owner. The limit
 * over all networks is higher, but still protects the owner's mailbox.
 *
 * @throws AppError `rate_limited` with `retry_after_s`: seconds until one more is allowed
 */
export async function countFreeRegistration(
  { db, limits }: Pick<PaymentDeps, 'db' | 'limits'>,
  { email, clientAddress }: { email: string; clientAddress: string | undefined },
): Promise<void> {
  const address = clientAddress === undefined ? null : rateLimitAddress(clientAddress);
  await withTransaction(db, async (tx) => {
    await acquireCallerLocks(tx, { clientAddress: address, email, accountId: null });
    const { rows } = await tx.query<Record<'address' | 'own' | 'anywhere', number>>(
      `select ${secondsUntilAllowed('free_registration', 'created_at', 'client_address = $1', 3)} as address,
         ${secondsUntilAllowed('free_registration', 'created_at', FROM_SAME_NETWORK, 4)} as own,
         ${secondsUntilAllowed('free_registration', 'created_at', 'email = $2', 5)} as anywhere`,
      [address, email, limits.perAddress, limits.perEmail, limits.perEmail * ALL_NETWORKS_FACTOR],
    );
    throwIfLimited(Math.max(...Object.values(rows[0]!)));
    await countBegunRegistration(tx, email);
    await tx.query('insert into free_registration (client_address, email) values ($1, $2)', [
      address,
      email,
    ]);
  });
}
