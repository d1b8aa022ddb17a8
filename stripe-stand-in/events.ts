import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { defineEndpoint } from './endpoint.ts';
import type { Context, Work } from './work.ts';
import { invalidRequest, resourceMissing } from './errors.ts';
import { nowInSeconds } from './ids.ts';
import {
  LIST_PARAMS,
  listPage,
  matchesPattern,
  readBoolean,
  readText,
  readTexts,
} from './params.ts';
import { EVENT_SECONDS } from './store.ts';

/** Source: https://docs.stripe.com/api/events/list */
const MAX_TYPES = 20;

/** Lists events of the last 30 days: https://docs.stripe.com/api/events */
export function registerEvents(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/events/:id',
    params: [],
    run({ id }, work) {
      const event = work.get('event', id);
      if (event === undefined || !isShown(event)) throw resourceMissing('event', id, 'id');
      return withPendingWebhooks(event, work);
    },
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/events',
    params: [...LIST_PARAMS, 'delivery_success', 'type', 'types'],
    run({ params }, work) {
      const type = readText(params, 'type');
      const types = readTexts(params, 'types') ?? (type === null ? null : [type]);
      if (type !== null && params.types !== undefined) {
        throw invalidRequest('You may only specify one of these parameters: type, types.');
      }
      if (types !== null && types.length > MAX_TYPES) {
        throw invalidRequest(`At most ${MAX_TYPES} types can be asked for.`, undefined, 'types');
      }
      const delivered = readBoolean(params, 'delivery_success');
      const shown = work.all('event').filter(isShown);
      const page = listPage(shown, params, '/v1/events', (event) => {
        if (types !== null && !types.some((pattern) => matchesPattern(event.type, pattern)))
          return false;
        return delivered === null || delivered === isDelivered(event, work);
      });
      return { ...page, data: page.data.map((event) => withPendingWebhooks(event, work)) };
    },
  });
}

function isShown(event: Stripe.Event): boolean {
  return event.created > nowInSeconds() - EVENT_SECONDS;
}

function isDelivered(event: Stripe.Event, work: Work): boolean {
  const delivery = work.get('delivery', event.id);
  return delivery === undefined || delivery.state === 'delivered';
}

function withPendingWebhooks(event: Stripe.Event, work: Work): Stripe.Event {
  const pending = work.get('delivery', event.id)?.state === 'pending';
  return { ...event, pending_webhooks: pending ? 1 : 0 };
}
