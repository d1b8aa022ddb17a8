import type { FastifyInstance } from 'fastify';
import { type Call, defineEndpoint } from '../endpoint.ts';
import type { Context, Work } from '../work.ts';
import {
  LIST_PARAMS,
  listPage,
  mergeMetadata,
  type Params,
  readBoolean,
  readText,
} from '../params.ts';
import {
  attemptOf,
  attemptPayment,
  CONFIRM_PARAMS,
  confirmIntent,
  orDeclined,
} from './confirm-intent.ts';
import {
  findIntent,
  newPaymentIntent,
  readMoney,
  refusePaymentMethodTypes,
  requireStatus,
  visibleTo,
} from './intent.ts';
import { invalidRequest, unexpectedState } from '../errors.ts';
import { findPaymentMethod } from './payment-methods.ts';
import type Stripe from 'stripe';
import { nowInSeconds } from '../ids.ts';

/** PaymentIntents: https://docs.stripe.com/api/payment_intents */
export function registerPaymentIntents(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_intents',
    params: CREATE_PARAMS,
    run: createIntent,
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/payment_intents',
    params: LIST_PARAMS,
    run: ({ params }, work) => listPage(work.all('payment_intent'), params, '/v1/payment_intents'),
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/payment_intents/:id',
    publishable: true,
    params: ['client_secret'],
    run: (call, work) => visibleTo(call.keyKind, findIntent(call, work)),
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_intents/:id',
    params: UPDATE_PARAMS,
    run: updateIntent,
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_intents/:id/confirm',
    publishable: true,
    params: CONFIRM_PARAMS,
    run: confirmIntent,
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_intents/:id/cancel',
    params: ['cancellation_reason'],
    run: cancelIntent,
  });
}

/** The last four are for confirming immediately, or are rejected. */
const CREATE_PARAMS = [
  'allowed_payment_method_types',
  'amount',
  'automatic_payment_methods',
  'currency',
  'description',
  'metadata',
  'payment_method',
  'receipt_email',
  'statement_descriptor_suffix',
  'confirm',
  'return_url',
  'use_stripe_sdk',
  'payment_method_types',
];

/** @throws StripeProblem 400, and 402 when it is confirmed immediately and the card is declined */
function createIntent({ params, origin }: Call, work: Work): object {
  refusePaymentMethodTypes(params);
  const methodId = readText(params, 'payment_method');
  const confirm = readBoolean(params, 'confirm') === true;
  if (confirm && methodId === null) {
    throw invalidRequest(
      'You must provide a payment method to create and confirm a PaymentIntent.',
      'parameter_missing',
      'payment_method',
    );
  }
  const method = methodId === null ? null : findPaymentMethod(methodId, work, 'payment_method');
  const created = newPaymentIntent(params);
  const intent =
    method === null
      ? created
      : { ...created, status: 'requires_confirmation', payment_method: method.id };
  work.put('payment_intent', intent.id, intent);
  work.emit('payment_intent.created', intent);
  if (!confirm || method === null) return intent;
  const tried = attemptPayment(work, intent, method, attemptOf(params, origin));
  return orDeclined(tried, tried);
}

/** The last one is rejected. */
const UPDATE_PARAMS = [
  'amount',
  'currency',
  'description',
  'metadata',
  'payment_method',
  'receipt_email',
  'statement_descriptor_suffix',
  'payment_method_types',
];
const TEXTS = ['description', 'receipt_email', 'statement_descriptor_suffix'];
/** Fields that cannot change once the payment is in processing. */
const UNTIL_PAID = ['amount', 'currency', 'payment_method'];
const UNPAID = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** Updates an intent. Emits no event, as at Stripe. @throws StripeProblem 400, 404 */
function updateIntent(call: Call, work: Work): Stripe.PaymentIntent {
  const { params } = call;
  refusePaymentMethodTypes(params);
  const intent = findIntent(call, work);
  const late = UNTIL_PAID.find((name) => params[name] !== undefined);
  if (late !== undefined && !UNPAID.includes(intent.status)) throw tooLate(intent, late);

  const id = readText(params, 'payment_method');
  const method = id === null ? null : findPaymentMethod(id, work, 'payment_method').id;
  const updated: Stripe.PaymentIntent = {
    ...intent,
    ...readMoney({ amount: String(intent.amount), currency: intent.currency, ...params }),
    ...textsOf(params),
    last_payment_error: null,
    metadata: mergeMetadata(intent.metadata, params),
    ...(method === null ? {} : { payment_method: method }),
    // The customer's pending authentication was for other details, so it is void.
    ...(late === undefined ? {} : { next_action: null, status: statusOf(intent, method) }),
  };
  work.put('payment_intent', updated.id, updated);
  return updated;
}

function statusOf(intent: Stripe.PaymentIntent, method: string | null): string {
  return method === null && intent.payment_method === null
    ? 'requires_payment_method'
    : 'requires_confirmation';
}

function textsOf(params: Params): Record<string, string | null> {
  const names = TEXTS.filter((name) => params[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, readText(params, name)]));
}

function tooLate(intent: Stripe.PaymentIntent, param: string) {
  return unexpectedState(
    `This PaymentIntent's ${param} could not be updated because it has a status of ` +
      `${intent.status}. You may only update the ${param} of a PaymentIntent with one of the ` +
      `following statuses: ${UNPAID.join(', ')}.`,
    intent,
  );
}

/** Without `processing` of a card payment, whose bank may already have paid. */
const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];
const CANCELLATION_REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

/** @throws StripeProblem 400, 404 */
function cancelIntent(call: Call, work: Work): Stripe.PaymentIntent {
  const intent = findIntent(call, work);
  requireStatus(intent, 'cancel', 'canceled', CANCELABLE, intent);
  const reason = readText(call.params, 'cancellation_reason');
  if (reason !== null && !CANCELLATION_REASONS.includes(reason)) {
    throw invalidRequest(
      `Invalid cancellation_reason: must be one of ${CANCELLATION_REASONS.join(', ')}`,
      undefined,
      'cancellation_reason',
    );
  }
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    canceled_at: nowInSeconds(),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  };
  work.put('payment_intent', canceled.id, canceled);
  work.emit('payment_intent.canceled', canceled);
  return canceled;
}
