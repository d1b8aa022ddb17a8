import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import type { KeyKind } from './api-keys.ts';
import { confirmPayment } from './confirm-payment.ts';
import { defineEndpoint } from './endpoint.ts';
import type { Call, Context } from './endpoint.ts';
import { invalidRequest, resourceMissing, unexpectedState } from './errors.ts';
import type { StripeProblem } from './errors.ts';
import { nowInSeconds } from './ids.ts';
import type { StoredPaymentMethod } from './kept.ts';
import { LIST_PARAMS, listPage } from './lists.ts';
import { newPaymentIntent } from './new-payment-intent.ts';
import { readBoolean, readObject, readText, requireText } from './params.ts';
import type { Params } from './params.ts';
import { createPaymentMethod, findPaymentMethod } from './payment-methods.ts';
import type { Work } from './work.ts';

const CREATE_PARAMS = [
  'allowed_payment_method_types',
  'amount',
  'automatic_payment_methods',
  'confirm',
  'currency',
  'description',
  'metadata',
  'payment_method',
  'receipt_email',
  'statement_descriptor_suffix',
];
/** The last two say how Stripe.js would like to handle 3D Secure. */
const CONFIRM_PARAMS = [
  'client_secret',
  'payment_method',
  'payment_method_data',
  'receipt_email',
  'return_url',
  'expected_payment_method_type',
  'use_stripe_sdk',
];
const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
];
const CANCELLATION_REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

/** PaymentIntents: https://docs.stripe.com/api/payment_intents */
export function registerPaymentIntents(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_intents',
    params: [...CREATE_PARAMS, 'payment_method_types'],
    run: ({ params }, work) => createIntent(params, work),
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/payment_intents',
    params: LIST_PARAMS,
    run: ({ params }, work) =>
      listPage(work.all('payment_intent'), params, '/v1/payment_intents', 'payment_intent'),
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
    url: '/v1/payment_intents/:id/confirm',
    publishable: true,
    params: [...CONFIRM_PARAMS, 'payment_method_types'],
    run: confirmIntent,
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_intents/:id/cancel',
    params: ['cancellation_reason'],
    run: cancelIntent,
  });
}

function createIntent(params: Params, work: Work): Stripe.PaymentIntent {
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
  return confirmPayment(work, intent, method, (it) => it);
}

function confirmIntent(call: Call, work: Work): object {
  refusePaymentMethodTypes(call.params);
  const intent = findIntent(call, work);
  const visible = (it: Stripe.PaymentIntent) => visibleTo(call.keyKind, it);
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already succeeded after being ' +
        'previously confirmed.',
      visible(intent),
    );
  }
  requireStatus(intent, 'confirm', 'confirmed', CONFIRMABLE, visible);
  const email = readText(call.params, 'receipt_email') ?? intent.receipt_email;
  const method = methodFor(call.params, intent, work);
  if (method === null) throw methodMissing(visible(intent));
  return visible(confirmPayment(work, { ...intent, receipt_email: email }, method, visible));
}

function cancelIntent(call: Call, work: Work): Stripe.PaymentIntent {
  const intent = findIntent(call, work);
  requireStatus(intent, 'cancel', 'canceled', CANCELABLE, (it) => it);
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
    status: 'canceled',
  };
  work.put('payment_intent', canceled.id, canceled);
  work.emit('payment_intent.canceled', canceled);
  return canceled;
}

/** The browser must also know the client secret of the intent that it asks for. */
function findIntent(call: Call, work: Work): Stripe.PaymentIntent {
  const intent = work.get('payment_intent', call.id);
  if (intent === undefined) throw resourceMissing('payment_intent', call.id, 'intent');
  const secret =
    call.keyKind === 'secret'
      ? readText(call.params, 'client_secret')
      : requireText(call.params, 'client_secret');
  if (secret !== null && secret !== intent.client_secret) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      'payment_intent_invalid_parameter',
      'client_secret',
    );
  }
  return intent;
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

/** What a publishable key sees of an intent: no metadata, no charge. */
function visibleTo(keyKind: KeyKind, intent: Stripe.PaymentIntent): object {
  if (keyKind === 'secret') return intent;
  return {
    id: intent.id,
    object: intent.object,
    amount: intent.amount,
    automatic_payment_methods: intent.automatic_payment_methods,
    canceled_at: intent.canceled_at,
    cancellation_reason: intent.cancellation_reason,
    capture_method: intent.capture_method,
    client_secret: intent.client_secret,
    confirmation_method: intent.confirmation_method,
    created: intent.created,
    currency: intent.currency,
    description: intent.description,
    last_payment_error: intent.last_payment_error,
    livemode: intent.livemode,
    next_action: intent.next_action,
    payment_method: intent.payment_method,
    payment_method_types: intent.payment_method_types,
    processing: intent.processing,
    receipt_email: intent.receipt_email,
    setup_future_usage: intent.setup_future_usage,
    shipping: intent.shipping,
    status: intent.status,
  };
}

function requireStatus(
  intent: Stripe.PaymentIntent,
  verb: string,
  participle: string,
  statuses: string[],
  visible: (intent: Stripe.PaymentIntent) => object,
): void {
  if (statuses.includes(intent.status)) return;
  throw unexpectedState(
    `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}. ` +
      'Only a PaymentIntent with one of the following statuses may be ' +
      `${participle}: ${statuses.join(', ')}.`,
    visible(intent),
  );
}

function methodMissing(intent: object): StripeProblem {
  return unexpectedState(
    'You cannot confirm this PaymentIntent because it is missing a payment method. To confirm the ' +
      'PaymentIntent with a payment method, specify a payment method attached to a customer along ' +
      "with the customer's ID, or provide one with `payment_method` or `payment_method_data`.",
    intent,
  );
}

/** Gone since API version 2026-09-30.endive; `allowed_payment_method_types` takes its place. */
function refusePaymentMethodTypes(params: Params): void {
  if (params.payment_method_types === undefined) return;
  throw invalidRequest(
    'The `payment_method_types` parameter is no longer supported. Use ' +
      '`allowed_payment_method_types` instead.',
    'payment_method_types_no_longer_supported',
    'payment_method_types',
  );
}
