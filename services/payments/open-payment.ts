import { requireActiveAccount } from '#accounts/access.ts';
import type { Language } from '#accounts/language.ts';
import { withTransaction, type Transaction } from '#database/pool.ts';
import { emit } from '#events/emit.ts';
import type { Settings } from '#settings/settings.ts';
import { countedAddress } from '#limits/client-address.ts';
import { refuse, waitInLine, type Beginner } from '#limits/limits.ts';
import { secondsToWait } from './limit-payments.ts';
import { CURRENCY, type Payment, type PaymentDeps } from './payment.ts';

/** How a payment was begun. */
export interface Begun {
  /** The version of the text by which the learner asked for the service to start at once. */
  consentVersion?: string | undefined;
  /** The IP address where the call came from; without one, none is counted. */
  clientAddress?: string | undefined;
}

export interface PaymentWish extends Begun {
  purpose: Payment['purpose'];
  accountId: string | null;
  email: string;
  username: string | null;
  language: Language;
  clientKey: string | null;
  /** Price and days are fixed with the payment. */
  settings: Settings;
}

/**
 * Our row of a payment: a new one, or the one that the same account or the same click has open.
 *
 * @throws AppError `rate_limited`, for a new one only; `account_disabled`
 */
export async function openPayment(
  { db, limits }: Pick<PaymentDeps, 'db' | 'limits'>,
  wish: PaymentWish,
): Promise<Payment> {
  const { clientAddress: ip, email, accountId } = wish;
  const clientAddress = ip === undefined ? null : countedAddress(ip);
  const beginner: Beginner = { clientAddress, email, accountId };
  return withTransaction(db, async (tx) => {
    if (accountId) await requireActiveAccount(tx, accountId);
    // Refused before standing in line: a flood is to hold neither locks nor connections. Counted
    // before looking: a click that was sent twice is not refused for what it has opened itself.
    const seconds = await secondsToWait(tx, limits, beginner);
    const open = await reopen(tx, wish);
    if (open) return open;
    refuse(seconds);
    await waitInLine(tx, beginner);
    const opened = await reopen(tx, wish);
    if (opened) return opened;
    refuse(await secondsToWait(tx, limits, beginner));
    const payment = await insert(tx, wish, clientAddress);
    await emit(tx, 'payment.changed', { payment_id: payment.id, account_id: null });
    return payment;
  });
}

const IS_UNPAID = `state = 'open' and intent_status is distinct from 'succeeded'`;

/**
 * What was agreed to last before paying counts: the text may have changed, or the box been left
 * empty before.
 */
async function reopen(tx: Transaction, wish: PaymentWish): Promise<Payment | null> {
  const { rows } = await tx.query<Payment>(
    `update payment set
       consent_version = case when ${IS_UNPAID} then coalesce($3, consent_version)
         else consent_version end,
       consented_at = case when ${IS_UNPAID} and $3::text is not null then clock_timestamp()
         else consented_at end
     where (purpose = 'extension' and state = 'open' and account_id = $1)
        or (purpose = 'registration' and client_key = $2)
     returning *`,
    [wish.accountId, wish.clientKey, wish.consentVersion ?? null],
  );
  return rows[0] ?? null;
}

async function insert(
  tx: Transaction,
  wish: PaymentWish,
  clientAddress: string | null,
): Promise<Payment> {
  // Two at once: the second gets the row of the first. Nothing changes in it; but only an updated
  // row is returned.
  const conflict =
    wish.purpose === 'extension'
      ? `(account_id) where state = 'open' and purpose = 'extension'
           do update set account_id = excluded.account_id`
      : '(client_key) do update set client_key = excluded.client_key';
  const { rows } = await tx.query<Payment>(
    `insert into payment
       (purpose, account_id, email, username, language, client_key, amount_ore, currency,
        service_days, client_address, consent_version, consented_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
       case when $11::text is not null then clock_timestamp() end)
     on conflict ${conflict}
     returning *`,
    [
      wish.purpose,
      wish.accountId,
      wish.email,
      wish.username,
      wish.language,
      wish.clientKey,
      wish.settings.price_ore,
      CURRENCY,
      wish.settings.service_days,
      clientAddress,
      wish.consentVersion ?? null,
    ],
  );
  return rows[0]!;
}
