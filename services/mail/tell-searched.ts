import { findAccountByEmail } from '#accounts/account.ts';
import { readWaitingDays } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { findPaymentSearch, paymentsOf, type FoundPayment } from '#payments/search-payments.ts';
import type { SignInMailDeps } from './confirm-payment.ts';
import { currentAddresses } from './current-addresses.ts';
import { paymentSearch, type PaymentOutcome, type SearchedAccount } from './payment-search.ts';
import { sendOnce, type MailOutcome } from './send-once.ts';

/**
 * Mails what became of the payments that somebody missed, to the address under which they searched.
 *
 * @returns `not_needed` when the search was forgotten meanwhile
 * @throws AppError `identity_provider_failed`
 */
export async function tellSearched(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.searched'>,
): Promise<MailOutcome> {
  const search = await findPaymentSearch(deps.db, payload.search_id);
  if (!search) return 'not_needed';
  const { email, language } = search;
  const payments = await paymentsOf(deps.db, email);
  const content = paymentSearch(
    language,
    {
      account: await accountOf(deps, email),
      payments: payments.map((payment) => ({
        begunAt: payment.created_at,
        amountOre: payment.amount_ore,
        serviceDays: payment.service_days,
        outcome: outcomeOf(payment),
      })),
    },
    await currentAddresses(deps.db, deps.addresses),
  );
  const key = { eventId, kind: 'payment_search', recipient: { email }, language };
  return sendOnce(deps, key, email, content);
}

async function accountOf(
  { db, identity }: SignInMailDeps,
  email: string,
): Promise<SearchedAccount> {
  const account = await findAccountByEmail(db, email);
  if (!account || account.state === 'deleted') return { state: 'none' };
  if (account.state === 'disabled') return { state: 'disabled' };
  const { service_expires_at: end, is_active: isActive } = account;
  const user = await identity.findByUid(account.uid);
  if (user && !user.hasPassword && !user.hasSignedIn) return { state: 'needs_password' };
  if (!isActive) {
    const [waiting] = await readWaitingDays(db, account.id);
    if (waiting) return { state: 'waiting', beginsAt: waiting.begins_at };
    return { state: 'expired', endedAt: end };
  }
  const until = end && end > new Date() ? end : null;
  return { state: 'active', until, hasPassword: user?.hasPassword ?? false };
}

function outcomeOf(payment: FoundPayment): PaymentOutcome {
  const { state, intent_status: status, dispute, refunded_ore, amount_ore, declined } = payment;
  if (refunded_ore >= amount_ore) return 'refunded';
  if (dispute === 'open' || dispute === 'lost') return 'disputed';
  if (state === 'settled') return 'settled';
  if (status === 'succeeded') return 'stuck';
  if (state === 'cancelled') return 'cancelled';
  if (status === 'processing') return 'processing';
  if (status === 'requires_action') return 'requires_action';
  return declined ? 'declined' : 'not_paid';
}
