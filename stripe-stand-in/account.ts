import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { defineEndpoint } from './endpoint.ts';
import { invalidRequest, resourceMissing } from './errors.ts';
import { newId, nowInSeconds, randomText } from './ids.ts';
import {
  LIST_PARAMS,
  listPage,
  missing,
  readBoolean,
  readText,
  readTexts,
  requireText,
} from './params.ts';
import { API_VERSION, type Context, type Work } from './work.ts';

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

/** The account, its webhook endpoints and its domains for wallets, which operators' commands use. */
export function registerAccount(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/account',
    params: [],
    run: () => ACCOUNT,
  });
  registerWebhookEndpoints(app, context);
  registerDomains(app, context);
}

/** https://docs.stripe.com/api/webhook_endpoints. Only the one that the stand-in was started with gets events. */
function registerWebhookEndpoints(app: FastifyInstance, context: Context): void {
  const url = '/v1/webhook_endpoints';
  defineEndpoint(app, context, {
    method: 'GET',
    url,
    params: LIST_PARAMS,
    run: ({ params }, work) =>
      listPage([...ownEndpoint(context), ...work.all('webhook_endpoint')], params, url),
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url,
    params: ['url', 'enabled_events', 'api_version', 'description'],
    run({ params }, work) {
      const address = requireText(params, 'url');
      const events = readTexts(params, 'enabled_events');
      if (events === null) throw missing('enabled_events');
      if (!URL.canParse(address)) throw invalidRequest('Not a valid URL', 'url_invalid', 'url');
      const endpoint: Stripe.WebhookEndpoint = {
        ...ENDPOINT,
        id: newId('we'),
        api_version: readText(params, 'api_version'),
        created: nowInSeconds(),
        description: readText(params, 'description'),
        enabled_events: events,
        url: address,
      };
      work.put('webhook_endpoint', endpoint.id, endpoint);
      // Shown in this answer only.
      return { ...endpoint, secret: `whsec_${randomText(32)}` };
    },
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: `${url}/:id`,
    params: ['url', 'enabled_events', 'disabled', 'description'],
    run({ id, params }, work) {
      const endpoint = work.get('webhook_endpoint', id);
      if (endpoint === undefined) throw resourceMissing('webhook_endpoint', id, 'id');
      const isDisabled = readBoolean(params, 'disabled') ?? endpoint.status === 'disabled';
      const updated: Stripe.WebhookEndpoint = {
        ...endpoint,
        enabled_events: readTexts(params, 'enabled_events') ?? endpoint.enabled_events,
        status: isDisabled ? 'disabled' : 'enabled',
        url: readText(params, 'url') ?? endpoint.url,
      };
      work.put('webhook_endpoint', id, updated);
      return updated;
    },
  });
}

const ENDPOINT: Omit<Stripe.WebhookEndpoint, 'id' | 'url'> = {
  object: 'webhook_endpoint',
  api_version: API_VERSION,
  application: null,
  created: 0,
  description: null,
  enabled_events: [],
  livemode: false,
  metadata: {},
  status: 'enabled',
};

/** The endpoint that the stand-in was started with, if any. It cannot be changed. */
function ownEndpoint({ webhooks: { endpoint } }: Context): Stripe.WebhookEndpoint[] {
  if (endpoint === null) return [];
  return [{ ...ENDPOINT, id: 'we_local', enabled_events: [...endpoint.events], url: endpoint.url }];
}

/** Domains for wallets: https://docs.stripe.com/api/payment_method_domains. Every name is taken as checked. */
function registerDomains(app: FastifyInstance, context: Context): void {
  const url = '/v1/payment_method_domains';
  defineEndpoint(app, context, {
    method: 'GET',
    url,
    params: [...LIST_PARAMS, 'domain_name', 'enabled'],
    run({ params }, work) {
      const name = readText(params, 'domain_name');
      const isListed = (it: Stripe.PaymentMethodDomain) => name === null || it.domain_name === name;
      return listPage(work.all('payment_method_domain'), params, url, isListed);
    },
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url,
    params: ['domain_name', 'enabled'],
    run({ params }, work) {
      const name = requireText(params, 'domain_name');
      if (!/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(name)) {
        throw invalidRequest(`Invalid domain: ${name}`, undefined, 'domain_name');
      }
      const active = { status: 'active' as const };
      const domain = {
        id: newId('pmd'),
        object: 'payment_method_domain',
        amazon_pay: active,
        apple_pay: active,
        created: nowInSeconds(),
        domain_name: name,
        enabled: readBoolean(params, 'enabled') ?? true,
        google_pay: active,
        klarna: active,
        link: active,
        livemode: false,
        paypal: active,
      } as Stripe.PaymentMethodDomain;
      work.put('payment_method_domain', domain.id, domain);
      return domain;
    },
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: `${url}/:id`,
    params: ['enabled'],
    run({ id, params }, work) {
      const domain = findDomain(id, work);
      const updated = { ...domain, enabled: readBoolean(params, 'enabled') ?? domain.enabled };
      work.put('payment_method_domain', id, updated);
      return updated;
    },
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: `${url}/:id/validate`,
    params: [],
    run: ({ id }, work) => findDomain(id, work),
  });
}

function findDomain(id: string, work: Work): Stripe.PaymentMethodDomain {
  const domain = work.get('payment_method_domain', id);
  if (domain === undefined) throw resourceMissing('payment_method_domain', id, 'id');
  return domain;
}
