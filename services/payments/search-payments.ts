import { type AppLanguage, DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import { findAccountByEmail } from '#accounts/account.ts';
import { requestPasswordLink } from '#accounts/password-links.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import { rateLimitAddress } from '#limits/client-address.ts';
import { throwIfLimited, secondsUntilAllowed, acquireCallerLocks } from '#limits/limits.ts';
import { isPermanentError, syncPayment } from './books/sync-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';

/** A request by a learner who has paid but cannot sign in: finds the payments of an address. */
export interface PaymentSearch {
  id: string;
  email: string;
  /** The language of the mail with the result. */
  language: AppLanguage;
  done_at: Date | null;
}

/** A payment found by a search. */
export interface FoundPayment extends Payment {
  /** A card was declined for it. */
  declined: boolean;
}

interface SearchRequest {
  email: string;
  language?: AppLanguage | undefined;
  /** The caller's IP address. */
  clientAddress: string;
}

/** Per hour. Each search sends a mail that its recipient may not have requested. */
const MAX_PER_EMAIL = 5;
/** Per hour. A whole class may share one address. */
const MAX_PER_ADDRESS = 20;
/** Payments listed in one mail. */
const MAX_MAILED = 10;

/**
 * Payments that are synced with Stripe. More than one network can have open: strangers may start payments
 * under any address until the limits stop them, and unpaid ones are cancelled after a day. The newest of
 * each network come first.
 */
const MAX_SYNCED = 150;

/**
 * Requests a search for the payments of an address. A worker runs it and mails the result. Nothing here
 * depends on whether the address is known, so that the caller does not learn who is registered.
 *
 * @throws AppError `rate_limited` with `retry_after_s`
 */
export async function requestPaymentSearch(db: Database, request: SearchRequest): Promise<void> {
  const email = request.email.toLowerCase();
  const address = rateLimitAddress(request.clientAddress);
  await withTransaction(db, async (tx) => {
    await limitSearches(tx, email, address);
    const { rows } = await tx.query<PaymentSearch>(
      `insert into payment_search (email, language, client_address) values ($1, $2, $3)
       returning id`,
      [email, request.language ?? DEFAULT_LANGUAGE, address],
    );
    await emit(tx, 'payment.search_requested', { search_id: rows[0]!.id });
  });
}

async function limitSearches(tx: Transaction, email: string, address: string): Promise<void> {
  await acquireCallerLocks(tx, { clientAddress: address, email, accountId: null });
  const { rows } = await tx.query<Record<'address' | 'own', number>>(
    `select ${secondsUntilAllowed('payment_search', 'created_at', 'client_address = $1', 3)} as address,
       ${secondsUntilAllowed('payment_search', 'created_at', 'email = $2', 4)} as own`,
    [address, email, MAX_PER_ADDRESS, MAX_PER_EMAIL],
  );
  throwIfLimited(Math.max(rows[0]!.address, rows[0]!.own));
}

/**
 * Syncs all payments of a search, so that a paid one that was never settled is settled. A learner with
 * an account but no password gets a mail with a link to choose one. Then requests the mail with the
 * result. Idempotent.
 *
 * @returns the number of payments
 * @throws AppError `payment_provider_failed`, `identity_provider_failed`: retry later
 */
export async function searchPayments(deps: PaymentDeps, searchId: string): Promise<number> {
  const search = await findPaymentSearch(deps.db, searchId);
  if (!search || search.done_at) return 0;
  const payments = await listPaymentsOf(deps.db, search.email, MAX_SYNCED);
  for (const payment of payments) await syncOpenOrSettled(deps, payment);
  const learner = await findWithoutPassword(deps, search.email);
  await withTransaction(deps.db, async (tx) => {
    const { rowCount } = await tx.query(
      'update payment_search set done_at = clock_timestamp() where id = $1 and done_at is null',
      [searchId],
    );
    if (rowCount === 0) return;
    if (learner) await requestPasswordLink(tx, { ...learner, reason: 'registration' });
    await emit(tx, 'payment.searched', { search_id: searchId });
  });
  return payments.length;
}

async function syncOpenOrSettled(
  deps: PaymentDeps,
  { state, payment_intent_id: intentId }: Payment,
): Promise<void> {
  if (!intentId || state === 'cancelled') return;
  try {
    await syncPayment(deps, intentId);
  } catch (error) {
    if (!isPermanentError(error)) throw error;
  }
}

/** The learner with this address, if the account was created without a password and never used. */
async function findWithoutPassword(
  { db, identity }: PaymentDeps,
  searched: string,
): Promise<{ email: string; language: AppLanguage } | null> {
  const account = await findAccountByEmail(db, searched);
  if (account?.state !== 'active') return null;
  const user = await identity.findByUid(account.uid);
  if (!user || user.hasPassword || user.hasSignedIn) return null;
  return { email: user.email, language: account.language };
}

/** A search by its id; null when it was deleted. */
export async function findPaymentSearch(db: Queryable, id: string): Promise<PaymentSearch | null> {
  const { rows } = await db.query<PaymentSearch>(
    'select id, email, language, done_at from payment_search where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/**
 * Payments of the last 30 days under an address, the newest first. Beyond the limit, paid payments take
 * precedence, then open ones.
 */
export async function listPaymentsOf(
  db: Queryable,
  email: string,
  limit = MAX_MAILED,
): Promise<FoundPayment[]> {
  const { rows } = await db.query<FoundPayment>(
    `with found as (
       select * from payment
       where email = $1 and created_at > clock_timestamp() - interval '30 days'
       order by state = 'settled' or coalesce(intent_status = 'succeeded', false) desc,
         state = 'open' desc,
         row_number() over (partition by client_address, state order by created_at desc),
         created_at desc
       limit $2)
     select found.*,
       exists (select from card_decline where payment_id = found.id) as declined
     from found order by created_at desc`,
    [email, limit],
  );
  return rows;
}

/** Deletes searches after a day, with the addresses of those who searched. */
export async function forgetPaymentSearches(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from payment_search where created_at < clock_timestamp() - interval '1 day'`,
  );
}
