import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  canCharge,
  type CheckedStripe,
  checkKey,
  countUndelivered,
  readEndpoints,
  type WebhookEndpoint,
} from '@proveklar/services/payments/incoming/check-stripe.ts';
import {
  countAttention,
  findUnknownIntents,
  readWebhookHistory,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import { API_VERSION } from '@proveklar/services/payments/provider/stripe.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import { judgeAttention, judgeUnknown, judgeWebhook } from '#status/judge-books.ts';
import { UNKNOWN_DAYS } from '#status/thresholds.ts';
import { type Check, compareClocks, type Installation, readBooks } from './installation.ts';

/** Our key at Stripe, what it may do, and the account behind it. */
export const stripe: Check = {
  name: 'Stripe',
  async run(installation) {
    const api = installation.stripe;
    if (!api) return [unchecked('STRIPE_SECRET_KEY is not set')];
    try {
      return [...judgeMode(installation), ...(await judgeKey(api))];
    } catch (error) {
      return [
        ...judgeMode(installation),
        fault(
          `Stripe does not answer: ${reasonOf(error)}`,
          installation.config.STRIPE_API_URL
            ? 'Start the Stripe stand-in (locally npm start does it), or correct STRIPE_API_URL.'
            : 'Let this machine reach https://api.stripe.com, and see https://status.stripe.com.',
        ),
      ];
    }
  },
};

function judgeMode({ config, isProduction }: Installation): Finding[] {
  const isLive = /^(sk|rk)_live_/.test(config.STRIPE_SECRET_KEY ?? '');
  if (isProduction && !isLive) {
    return [
      fault(
        'the key is for test mode: anyone gets in with a test card',
        'Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY to the live keys.',
      ),
    ];
  }
  return [ok(`${isLive ? 'live' : 'test'} mode, API version ${API_VERSION}`)];
}

async function judgeKey(api: CheckedStripe): Promise<Finding[]> {
  const key = await checkKey(api);
  if (key === 'refused') {
    return [
      fault(
        'Stripe refuses STRIPE_SECRET_KEY',
        "Copy the key again from Stripe's dashboard, Developers, API keys.",
      ),
    ];
  }
  const { forbidden, aheadMs } = key;
  const rights =
    forbidden.length === 0
      ? ok('the key may read what it must')
      : fault(
          `the restricted key may not read ${forbidden.join(', ')}`,
          "Give it these rights in Stripe's dashboard, Developers, API keys.",
        );
  return [
    rights,
    judgeAccount(await canCharge(api)),
    ...(aheadMs === null ? [] : [compareClocks('Stripe', aheadMs)]),
  ];
}

function judgeAccount(can: boolean | null): Finding {
  if (can === null) {
    return warning(
      'whether the account may take payments is not checked: the restricted key may not ask',
      "Give it the right to read the account, or look in Stripe's dashboard, Settings, Business.",
    );
  }
  if (can) return ok('the account may take payments');
  return fault(
    'Stripe lets the account take no payments',
    'Answer what Stripe asks for in its dashboard, Settings, Business.',
  );
}

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

/** What a person must look at. */
export const payments: Check = {
  name: 'Payments',
  run: (installation) =>
    readBooks(installation, async (db) => {
      const [attention, unknown] = await Promise.all([
        countAttention(db),
        findUnknownIntents(db, UNKNOWN_DAYS),
      ]);
      return [judgeAttention(attention), judgeUnknown(unknown)];
    }),
};
