import type { FastifyInstance } from 'fastify';

import { defineEndpoint } from '../endpoint.ts';
import type { Context } from '../context.ts';
import { resourceMissing } from '../errors.ts';
import { LIST_PARAMS, listPage, ofPayment } from '../lists.ts';

export function registerCharges(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/charges/:id',
    params: [],
    run({ id }, work) {
      const charge = work.get('charge', id);
      if (charge === undefined) throw resourceMissing('charge', id, 'id');
      return charge;
    },
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/charges',
    params: [...LIST_PARAMS, 'payment_intent'],
    run: ({ params }, work) =>
      listPage(work.all('charge'), params, '/v1/charges', ofPayment(params)),
  });
}
