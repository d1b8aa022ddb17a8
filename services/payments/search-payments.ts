import { type AppLanguage, DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import { findAccountByEmail } from '#accounts/account.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import { rateLimitAddress } from '#limits/client-address.ts';
import { throwIfLimited, secondsUntilAllowed, acquireCallerLocks } from '#limits/limits.ts';
import { needsNoRetry, syncPayment } from './books/sync-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';

/** "I have paid, but cannot get in": whose payments are to be looked for. */
export interface PaymentSearch {
  id: string;
  email: string;
  /** What the answer is written in. */
  language: AppLanguage;
  done_at: Date | null;
}

/** A payment as a search finds it. */
export interface FoundPayment extends Payment {
  /** A bank has refused a card for it. */
  declined: boolean;
}

export interface SearchWish {
  email: string;
  language?: AppLanguage | undefined;
  /** Where the call came from. */
  clientAddress: string;
}

/** Searches within an hour. Each is a mail to somebody who may not have asked for it. */
const MAX_PER_EMAIL = 5;
/** A class sits behind one address. */
const MAX_PER_ADDRESS = 20;
/** Payments that a mail tells of. */
const MAX_MAILED = 10;

/**
 * Payments that are asked about at Stripe: more than one network can have open, as a stranger may begin
 * some under any address until the limits stop them, and what is not paid is cancelled after a day. Of
 * several networks each has its newest asked about first.
 */
const MAX_SYNCED = 150;

/**
 * Asks for the payments of an address to be looked for; a worker does it and mails what it finds.
 * Nothing here depends on whether the address is known, so that nobody learns who is registered.
 *
 * @throws AppError `rate_limited` with `retry_after_s`
 */
export async function requestPaymentSearch(db: Database, wish: SearchWish): Promise<void> {
  const email = wish.email.toLowerCase();
  const address = rateLimitAddress(wish.clientAddress);
  await withTransaction(db, async (tx) => {
    await refuseTooMany(tx, email, address);
    const { rows } = await tx.query<PaymentSearch>(
      `insert into payment_search (email, language, client_address) values ($1, $2, $3)
       returning id`,
      [email, wish.language ?? DEFAULT_LANGUAGE, address],
    );
    await emit(tx, 'payment.search_requested', { search_id: rows[0]!.id });
  });
}

async function refuseTooMany(tx: Transaction, email: string, address: string): Promise<void> {
  await acquireCallerLocks(tx, { clientAddress: address, email, accountId: null });
  const { rows } = await tx.query<Record<'address' | 'own', number>>(
    `select ${secondsUntilAllowed('payment_search', 'created_at', 'client_address = $1', 3)} as address,
       ${secondsUntilAllowed('payment_search', 'created_at', 'email = $2', 4)} as own`,
    [address, email, MAX_PER_ADDRESS, MAX_PER_EMAIL],
  );
  throwIfLimited(Math.max(rows[0]!.address, rows[0]!.own));
}

/**
 * Brings all payments of a search up to date: one that is paid and was never settled is settled now.
 * Whoever has an account and no way into it is mailed a link to choose a password. Then the mail
 * about it is asked for. Calling it again changes nothing.
 *
 * @returns how many payments there are
 * @throws AppError `payment_provider_failed`, `identity_provider_failed`: try again
 */
export async function searchPayments(deps: PaymentDeps, searchId: string): Promise<number> {
  const search = await findPaymentSearch(deps.db, searchId);
  if (!search || search.done_at) return 0;
  const payments = await paymentsOf(deps.db, search.email, MAX_SYNCED);
  for (const payment of payments) await bringUpToDate(deps, payment);
  await mailPasswordLink(deps, search.email);
  await withTransaction(deps.db, async (tx) => {
    const { rowCount } = await tx.query(
      'update payment_search set done_at = clock_timestamp() where id = $1 and done_at is null',
      [searchId],
    );
    if (rowCount === 1) await emit(tx, 'payment.searched', { search_id: searchId });
  });
  return payments.length;
}

async function bringUpToDate(
  deps: PaymentDeps,
  { state, payment_intent_id: intentId }: Payment,
): Promise<void> {
  if (!intentId || state === 'cancelled') return;
  try {
    await syncPayment(deps, intentId);
  } catch (error) {
    if (!needsNoRetry(error)) throw error;
  }
}

/** To whom has an account that was made without their being there. */
async function mailPasswordLink({ db, identity }: PaymentDeps, email: string): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (account?.state !== 'active') return;
  const user = await identity.findByUid(account.uid);
  if (!user || user.hasPassword || user.hasSignedIn) return;
  await identity.sendPasswordLink(user.email, account.language);
}

/** A search by its id; null when it was forgotten. */
export async function findPaymentSearch(db: Queryable, id: string): Promise<PaymentSearch | null> {
  const { rows } = await db.query<PaymentSearch>(
    'select id, email, language, done_at from payment_search where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/**
 * The payments of the last 30 days that were begun under an address, the newest first. Of too many,
 * those that were paid, then those that may have been.
 */
export async function paymentsOf(
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

/** Forgets who searched: nobody needs to know after a day. */
export async function forgetPaymentSearches(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from payment_search where created_at < clock_timestamp() - interval '1 day'`,
  );
}
