import { readWebhookHistory } from '@proveklar/services/payments/reconciliation/check-books.ts';
import {
  countUndelivered,
  readEndpoints,
  type CheckedStripe,
  type WebhookEndpoint,
} from '@proveklar/services/payments/stripe/check-stripe.ts';
import { API_VERSION } from '@proveklar/services/payments/stripe/stripe-client.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  fault,
  type Finding,
  ok,
  unchecked,
  warning,
} from '@proveklar/operators/status/finding.ts';
import { judgeWebhook } from '@proveklar/operators/status/judge-books.ts';
import type { Check, Installation } from './installation.ts';
import { readBooks } from './read-books.ts';

const PATH = '/api/v1/stripe/webhook';

/** Whether Stripe tells us what happens: the endpoint at Stripe, and what came of it here. */
export const webhook: Check = {
  name: 'Webhook',
  async run(installation) {
    const { stripe } = installation;
    if (!stripe) return [unchecked('STRIPE_SECRET_KEY is not set')];
    const atStripe = async () => [
      ...(await judgeEndpoint(installation, stripe)),
      await judgeUndelivered(stripe),
    ];
    const [there, here] = await Promise.all([
      atStripe().catch((error: unknown) => [unchecked(`Stripe: ${reasonOf(error)}`)]),
      readBooks(installation, async (db) => [judgeWebhook(await readWebhookHistory(db))]),
    ]);
    return [...there, ...here];
  },
};

async function judgeEndpoint({ config }: Installation, stripe: CheckedStripe): Promise<Finding[]> {
  const { PUBLIC_URL: publicUrl, STRIPE_API_URL: standIn } = config;
  if (!publicUrl) return [unchecked('PUBLIC_URL is not set')];
  const url = `${publicUrl}${PATH}`;
  const endpoints = await readEndpoints(stripe);
  if (endpoints === null) {
    return [
      warning(
        'the endpoint is not checked: the restricted key may not read webhook endpoints',
        `Give it that right, or look in Stripe's dashboard that ${url} is there.`,
      ),
    ];
  }
  // In containers the stand-in reaches the gateway under another name than people do.
  const isOurs = (it: WebhookEndpoint) =>
    it.url === url || (standIn !== undefined && it.url.endsWith(PATH));
  const ours = endpoints.filter(isOurs);
  const endpoint = ours.find(({ isEnabled }) => isEnabled) ?? ours[0];
  if (!endpoint) {
    return [
      fault(
        `no webhook endpoint for ${url}`,
        'Add it in Stripe, Developers, Webhooks, with the events of docs/operations/payments.md, and set STRIPE_WEBHOOK_SECRET to its secret.',
      ),
    ];
  }
  return judgeOurs(endpoint);
}

function judgeOurs({ url, isEnabled, apiVersion, missingEvents }: WebhookEndpoint): Finding[] {
  if (!isEnabled) {
    return [fault(`the endpoint ${url} is disabled`, 'Enable it in Stripe, Developers, Webhooks.')];
  }
  if (missingEvents.length > 0) {
    return [
      fault(
        `the endpoint is not told of ${missingEvents.join(', ')}`,
        'Add these events to it in Stripe, Developers, Webhooks.',
      ),
    ];
  }
  if (apiVersion !== API_VERSION) {
    return [
      warning(
        `the endpoint ${url} has API version ${apiVersion ?? "of the account's default"}`,
        `Add another with ${API_VERSION} when convenient; only ids are taken from events.`,
      ),
    ];
  }
  return [ok(`${url} is told of everything`)];
}

async function judgeUndelivered(stripe: CheckedStripe): Promise<Finding> {
  const count = await countUndelivered(stripe);
  if (count === 0) return ok('no undelivered event of the last day');
  return warning(
    `${count}${count === 100 ? ' or more' : ''} events of the last day are undelivered; the reconciliation has found them or will`,
    'See in Stripe, Developers, Webhooks, what the endpoint answered.',
  );
}
