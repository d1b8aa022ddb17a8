import { controlAt, type Control } from '@proveklar/stripe-stand-in/control/client.ts';
import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import type { TestGateway } from './gateway.ts';

/** Pays a PaymentIntent as the browser would, with one of Stripe's test cards; throws when declined. */
export async function payWithCard(
  { deps }: Pick<TestGateway, 'deps'>,
  paymentIntentId: string,
  card:
    | 'pm_card_visa'
    | 'pm_card_mastercard'
    | 'pm_card_chargeDeclined'
    | 'pm_card_processing'
    | 'pm_card_createDispute'
    | 'pm_card_applePay'
    | 'pm_card_googlePay'
    | 'pm_card_authenticationRequired' = 'pm_card_visa',
): Promise<void> {
  await deps.stripe.paymentIntents.confirm(paymentIntentId, {
    payment_method: card,
    return_url: 'https://example.no',
  });
}

/**
 * Pays by a method that leaves for a page of its own, as Vipps does.
 *
 * @param outcome what the customer does there; null: closes it
 */
export async function payByRedirect(
  gateway: Pick<TestGateway, 'deps' | 'stripeUrl'>,
  paymentIntentId: string,
  outcome: 'complete' | 'fail' | null = 'complete',
): Promise<void> {
  await gateway.deps.stripe.paymentIntents.confirm(paymentIntentId, {
    payment_method_data: { type: 'vipps' as 'card' },
    return_url: 'https://example.no/quiz/payment',
  });
  if (outcome) await stripeControl(gateway).authenticate(paymentIntentId, outcome);
}

/** Controls the Stripe stand-in: its faults, 3-D Secure and disputes. */
export function stripeControl({ stripeUrl }: Pick<TestGateway, 'stripeUrl'>): Control {
  return controlAt(stripeUrl);
}

/** How many accounts an address has; throws unless it has as many credits and identities. */
export async function countUsers(
  { deps, identity }: Pick<TestGateway, 'deps' | 'identity'>,
  email: string,
): Promise<number> {
  const { rows } = await deps.db.query<{ accounts: number; credits: number }>(
    `select count(distinct account.id)::int as accounts, count(credit.id)::int as credits
     from account left join credit on credit.account_id = account.id where email = $1`,
    [email],
  );
  const { accounts, credits } = rows[0]!;
  const identities = (await identity.findUser(email)) ? 1 : 0;
  if (accounts !== credits || accounts !== identities) {
    throw new Error(`${accounts} accounts, ${credits} credits, ${identities} identities`);
  }
  return accounts;
}

/**
 * Buys access for a signed-in user, with a card that is accepted.
 *
 * @param body the body of `create-intent`
 * @returns our own id of the payment
 */
export async function buyAccess(
  gateway: Pick<TestGateway, 'call' | 'deps'>,
  token: string,
  body?: object,
): Promise<string> {
  const options = { token, ...(body && { body }) };
  const intent = await gateway.call('POST', '/payment/create-intent', options);
  const { payment_intent_id } = intent.body as { payment_intent_id: string };
  await payWithCard(gateway, payment_intent_id);
  await gateway.call('POST', '/payment/confirm', { token, body: { payment_intent_id } });
  return (await findPaymentByIntent(gateway.deps.db, payment_intent_id))!.id;
}
