import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { API_VERSION, type Context } from './work.ts';
import { defineEndpoint } from './endpoint.ts';
import { LIST_PARAMS, listPage } from './params.ts';

type Account = Pick<
  Stripe.Account,
  | 'id'
  | 'object'
  | 'charges_enabled'
  | 'country'
  | 'default_currency'
  | 'details_submitted'
  | 'payouts_enabled'
>;

/** A verified Stripe account, without the fields that describe a business. */
const ACCOUNT: Account = {
  id: 'acct_local',
  object: 'account',
  charges_enabled: true,
  country: 'NO',
  default_currency: 'nok',
  details_submitted: true,
  payouts_enabled: true,
};

/** The account and its webhook endpoint, which the doctor reads. */
export function registerAccount(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/account',
    params: [],
    run: () => ACCOUNT,
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/webhook_endpoints',
    params: LIST_PARAMS,
    run: ({ params }) => listPage(endpoints(context), params, '/v1/webhook_endpoints'),
  });
}

/** The endpoint that the stand-in was started with, if any. It cannot be disabled. */
function endpoints({ webhooks: { endpoint } }: Context): Stripe.WebhookEndpoint[] {
  if (endpoint === null) return [];
  return [
    {
      id: 'we_local',
      object: 'webhook_endpoint',
      api_version: API_VERSION,
      application: null,
      created: 0,
      description: null,
      enabled_events: [...endpoint.events],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url: endpoint.url,
    },
  ];
}
