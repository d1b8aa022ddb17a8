import type Stripe from 'stripe';
import type { Call } from '../endpoint.ts';
import { docUrl, invalidRequest, StripeProblem, unexpectedState } from '../errors.ts';
import type { StoredPaymentMethod } from '../store.ts';
import { type Params, readBoolean, readObject, readText } from '../params.ts';
import type { Work } from '../work.ts';
import {
  attachedMethod,
  findIntent,
  latestCharge,
  refusePaymentMethodTypes,
  requireStatus,
  visibleTo,
} from './intent.ts';
import { createPaymentMethod, findPaymentMethod } from './payment-methods.ts';
import { newId, randomText } from '../ids.ts';
import { CARD_OUTCOMES, type Decline } from './test-cards.ts';
import { bookCharge } from './balance.ts';
import { disputeCharge } from './disputes.ts';
import { failed, paid, pendingCharge } from './charges.ts';

/** The last one is rejected. */
export const CONFIRM_PARAMS = [
  'client_secret',
  'payment_method',
  'payment_method_data',
  'receipt_email',
  'return_url',
  'expected_payment_method_type',
  'use_stripe_sdk',
  'payment_method_types',
];
const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** @throws StripeProblem 400, 404, and 402 when the card is declined */
export function confirmIntent(call: Call, work: Work): object {
  const { keyKind, params, origin } = call;
  refusePaymentMethodTypes(params);
  const intent = findIntent(call, work);
  const shown = visibleTo(keyKind, intent);
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already succeeded after being ' +
        'previously confirmed.',
      shown,
    );
  }
  requireStatus(intent, 'confirm', 'confirmed', CONFIRMABLE, shown);
  const email = readText(params, 'receipt_email') ?? intent.receipt_email;
  const method = methodFor(params, intent, work);
  if (method === null) throw methodMissing(shown);
  refuseType(intent, method);
  const confirmed = { ...intent, receipt_email: email };
  const tried = attemptPayment(work, confirmed, method, attemptOf(params, origin));
  return orDeclined(tried, visibleTo(keyKind, tried));
}

/** How the caller wants the customer to authenticate. */
export function attemptOf(params: Params, origin: string): Attempt {
  return {
    origin,
    returnUrl: readText(params, 'return_url'),
    useStripeSdk: readBoolean(params, 'use_stripe_sdk') === true,
  };
}

function methodFor(
  params: Params,
  intent: Stripe.PaymentIntent,
  work: Work,
): StoredPaymentMethod | null {
  const data = readObject(params, 'payment_method_data');
  if (data !== null) return createPaymentMethod(data, work);
  const attached = typeof intent.payment_method === 'string' ? intent.payment_method : null;
  const id = readText(params, 'payment_method') ?? attached;
  return id === null ? null : findPaymentMethod(id, work, 'payment_method');
}

/** Only a type that the intent allows. */
function refuseType(
  { payment_method_types: types }: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
) {
  const { type } = method.object;
  if (types.includes(type)) return;
  throw invalidRequest(
    `The PaymentMethod provided (${type}) is not allowed for this PaymentIntent. Please attach a ` +
      `PaymentMethod of one of the following types: ${types.join(', ')}.`,
    'payment_intent_invalid_parameter',
    'payment_method',
  );
}

function methodMissing(shown: object): StripeProblem {
  return unexpectedState(
    'You cannot confirm this PaymentIntent because it is missing a payment method. To confirm the ' +
      'PaymentIntent with a payment method, specify a payment method attached to a customer along ' +
      "with the customer's ID, or provide one with `payment_method` or `payment_method_data`.",
    shown,
  );
}

/** The ways in which the caller can let the customer authenticate. */
type Attempt = {
  /** The URL of the stand-in, which also serves the bank's page. */
  origin: string;
  returnUrl: string | null;
  /** Whether Stripe.js requests an action that it handles itself. */
  useStripeSdk: boolean;
};

/**
 * Tries to pay the intent with a card. The result is the intent's status: `succeeded`, `requires_action`,
 * `processing`, or `requires_payment_method` with `last_payment_error`.
 */
export function attemptPayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  attempt: Attempt,
): Stripe.PaymentIntent {
  const begun = { ...intent, last_payment_error: null, next_action: null };
  if (method.authenticates !== true && method.redirects !== true) {
    return chargeCard(work, begun, method, false);
  }

  const waiting: Stripe.PaymentIntent = {
    ...begun,
    next_action:
      method.redirects === true ? leaveFor(work, intent, attempt) : nextAction(intent, attempt),
    payment_method: method.id,
    status: 'requires_action',
  };
  work.put('payment_intent', waiting.id, waiting);
  work.emit('payment_intent.requires_action', waiting);
  return waiting;
}

/** Source: https://docs.stripe.com/api/payment_intents/object#payment_intent_object-next_action */
function nextAction(
  intent: Stripe.PaymentIntent,
  { origin, returnUrl, useStripeSdk }: Attempt,
): Stripe.PaymentIntent.NextAction {
  const secret = String(intent.client_secret);
  const url = `${origin}/three-d-secure/${intent.id}?client_secret=${secret}`;
  if (returnUrl !== null && !useStripeSdk) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: newId('src') },
  };
}

/**
 * The page of a redirecting method, at an address that cannot be guessed.
 * @throws StripeProblem 400 without a `return_url`
 */
function leaveFor(
  work: Work,
  { id: intent }: Stripe.PaymentIntent,
  { origin, returnUrl }: Attempt,
): Stripe.PaymentIntent.NextAction {
  if (returnUrl === null) {
    throw invalidRequest(
      'You must provide a `return_url` when confirming with a payment method that redirects.',
      'parameter_missing',
      'return_url',
    );
  }
  const id = randomText(32);
  work.put('redirect', id, { id, payment_intent: intent, return_url: returnUrl });
  return {
    type: 'redirect_to_url',
    redirect_to_url: { return_url: returnUrl, url: `${origin}/redirect/${id}` },
  };
}

/** Charges the card for the intent: the charge succeeds, fails, or stays in processing. */
export function chargeCard(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  authenticated: boolean,
): Stripe.PaymentIntent {
  const charge = pendingCharge(intent, method, authenticated);
  if (method.processes !== true) {
    return endCharge(work, intent, method, charge, CARD_OUTCOMES[method.outcome]);
  }

  const processing: Stripe.PaymentIntent = {
    ...intent,
    latest_charge: charge.id,
    payment_method: method.id,
    status: 'processing',
  };
  work.put('charge', charge.id, charge);
  work.put('payment_intent', processing.id, processing);
  work.emit('charge.pending', charge);
  work.emit('payment_intent.processing', processing);
  return processing;
}

/** Completes a pending charge and its payment: paid unless there is a `decline`. */
function endCharge(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  pending: Stripe.Charge,
  decline: Decline | null,
): Stripe.PaymentIntent {
  if (decline !== null) {
    const charge = failed(pending, decline);
    work.put('charge', charge.id, charge);
    work.emit('charge.failed', charge);
    const reason = { type: 'card_error' as const, ...decline, charge: charge.id };
    return failPayment(work, { ...intent, latest_charge: charge.id }, method, reason);
  }

  const charge = bookCharge(work, paid(pending));
  const succeeded: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
    status: 'succeeded',
  };
  work.put('charge', charge.id, charge);
  work.put('payment_intent', succeeded.id, succeeded);
  work.emit('charge.succeeded', charge);
  work.emit('payment_intent.succeeded', succeeded);
  if (method.disputed !== undefined) disputeCharge(work, charge, method.disputed, charge.amount);
  return succeeded;
}

type Reason = Pick<Stripe.PaymentIntent.LastPaymentError, 'charge' | 'decline_code'> & {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  message: string;
};

/** Sets the intent to require another payment method, with the error. */
export function failPayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  reason: Reason,
): Stripe.PaymentIntent {
  const failed: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: {
      ...reason,
      doc_url: docUrl(reason.code),
      payment_method: method.object,
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  work.put('payment_intent', failed.id, failed);
  work.emit('payment_intent.payment_failed', failed);
  return failed;
}

/**
 * The response to a confirmation: the intent, unless its card was declined.
 * @param shown the part of the intent that the caller may see
 * @throws StripeProblem 402 `card_error`; the changes are stored nevertheless
 */
export function orDeclined(intent: Stripe.PaymentIntent, shown: object): object {
  const { last_payment_error: error, status } = intent;
  if (status !== 'requires_payment_method' || error === null) return shown;
  const { message = '', type: _type, ...fields } = error;
  throw new StripeProblem(
    402,
    { ...(fields as object), type: 'card_error', message, payment_intent: shown },
    true,
  );
}

/** The possible results of a payment in processing. */
export const SETTLEMENTS = ['succeed', 'fail'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** @throws StripeProblem 400 when the intent is not in processing */
export function settleProcessing(
  work: Work,
  intent: Stripe.PaymentIntent,
  settlement: Settlement,
): Stripe.PaymentIntent {
  const charge = latestCharge(work, intent);
  if (intent.status !== 'processing' || charge === undefined) {
    throw unexpectedState(
      `This PaymentIntent has a status of ${intent.status} and is not in processing.`,
      intent,
    );
  }
  const decline = settlement === 'succeed' ? null : CARD_OUTCOMES.generic_decline;
  return endCharge(work, intent, attachedMethod(work, intent), charge, decline);
}
