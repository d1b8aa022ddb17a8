import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { defineEndpoint } from './endpoint.ts';
import type { Context } from './endpoint.ts';
import { resourceMissing } from './errors.ts';
import { LIST_PARAMS, listPage } from './lists.ts';
import { readBoolean, readText, readTexts } from './params.ts';
import type { Work } from './work.ts';

/** Events of the last 30 days: https://docs.stripe.com/api/events */
export function registerEvents(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/events/:id',
    params: [],
    run({ id }, work) {
      const event = work.get('event', id);
      if (event === undefined) throw resourceMissing('event', id, 'id');
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
      const delivered = readBoolean(params, 'delivery_success');
      const wanted = work.all('event').filter((event) => {
        if (types !== null && !types.some((pattern) => matches(event.type, pattern))) return false;
        return delivered === null || delivered === isDelivered(event, work);
      });
      const page = listPage(wanted, params, '/v1/events', 'event');
      return { ...page, data: page.data.map((event) => withPendingWebhooks(event, work)) };
    },
  });
}

/** `charge.*` stands for all events of a charge. */
function matches(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

function isDelivered(event: Stripe.Event, work: Work): boolean {
  const delivery = work.get('delivery', event.id);
  return delivery === undefined || delivery.state === 'delivered';
}

function withPendingWebhooks(event: Stripe.Event, work: Work): Stripe.Event {
  const pending = work.get('delivery', event.id)?.state === 'pending';
  return { ...event, pending_webhooks: pending ? 1 : 0 };
}
