import type { FastifyInstance } from 'fastify';

import { defineEndpoint } from '../endpoint.ts';
import type { Context } from '../context.ts';
import { LIST_PARAMS, listPage } from '../lists.ts';
import { cancelIntent } from './cancel-intent.ts';
import { CONFIRM_PARAMS, confirmIntent } from './confirm-intent.ts';
import { CREATE_PARAMS, createIntent } from './create-intent.ts';
import { findIntent, visibleTo } from './find-intent.ts';
import { UPDATE_PARAMS, updateIntent } from './update-intent.ts';

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
