import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  canCharge,
  type CheckedStripe,
  checkKey,
  countUndelivered,
  readEndpoints,
  readWalletDomain,
  registerWalletDomain,
  type WalletDomain,
  type WebhookEndpoint,
} from '@proveklar/services/payments/incoming/check-stripe.ts';
import {
  countAttention,
  findUnknownIntents,
  readWebhookHistory,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import { WEBHOOK_PATH } from '@proveklar/services/payments/incoming/webhook-endpoint.ts';
import { API_VERSION, isLiveKey } from '@proveklar/services/payments/provider/stripe.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import {
  evaluateAttention,
  evaluateUnknownPayments,
  evaluateWebhook,
} from '#status/evaluate-payments.ts';
import { UNKNOWN_DAYS } from '#status/thresholds.ts';
import { type Check, compareClocks, type Installation, withDatabase } from './installation.ts';

/** The Stripe key, its permissions, and the account. */
export const stripe: Check = {
  name: 'Stripe',
  async run(installation) {
    const api = installation.stripe;
    if (!api) return [unchecked('STRIPE_SECRET_KEY is not set')];
    try {
      return [...evaluateMode(installation), ...(await checkSecretKey(api))];
    } catch (error) {
      return [
        ...evaluateMode(installation),
        fault(
          `Stripe does not answer: ${reasonOf(error)}`,
          installation.config.STRIPE_API_URL
            ? 'Start the Stripe stand-in (locally npm start does it), or correct STRIPE_API_URL.'
            : 'Let this host reach https://api.stripe.com, and see https://status.stripe.com.',
        ),
      ];
    }
  },
};

function evaluateMode({ config, isProduction }: Installation): Finding[] {
  const isLive = isLiveKey(config.STRIPE_SECRET_KEY ?? '');
  if (isProduction && !isLive) {
    return [
      fault(
        'the key is for test mode: test cards buy access',
        'Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY to the live keys.',
      ),
    ];
  }
  return [ok(`${isLive ? 'live' : 'test'} mode, API version ${API_VERSION}`)];
}

async function checkSecretKey(api: CheckedStripe): Promise<Finding[]> {
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
  const permissions =
    forbidden.length === 0
      ? ok('the key has the required permissions')
      : fault(
          `the restricted key may not read ${forbidden.join(', ')}`,
          "Give it these permissions in Stripe's dashboard, Developers, API keys.",
        );
  return [
    permissions,
    evaluateAccount(await canCharge(api)),
    ...(aheadMs === null ? [] : [compareClocks('Stripe', aheadMs)]),
  ];
}

function evaluateAccount(can: boolean | null): Finding {
  if (can === null) {
    return warning(
      'whether the account may take payments is not checked: the restricted key may not ask',
      "Give it the permission to read the account, or look in Stripe's dashboard, Settings, Business.",
    );
  }
  if (can) return ok('the account may take payments');
  return fault(
    'the Stripe account cannot take payments',
    'Complete what Stripe requires in its dashboard, Settings, Business.',
  );
}

/** Locally; in production the same command runs in the image (docs/operations/payments.md). */
const CREATE = '`npm run webhook -- create`';

/** The webhook: the endpoint registered at Stripe, and the events that arrived here. */
export const webhook: Check = {
  name: 'Webhook',
  async run(installation) {
    const { stripe } = installation;
    if (!stripe) return [unchecked('STRIPE_SECRET_KEY is not set')];
    const atStripe = async () => [
      ...(await checkEndpoint(installation, stripe)),
      await checkUndelivered(stripe),
    ];
    const [atStripeFindings, localFindings] = await Promise.all([
      atStripe().catch((error: unknown) => [unchecked(`Stripe: ${reasonOf(error)}`)]),
      withDatabase(installation, async (db) => [evaluateWebhook(await readWebhookHistory(db))]),
    ]);
    return [...atStripeFindings, ...localFindings];
  },
};

async function checkEndpoint({ config }: Installation, stripe: CheckedStripe): Promise<Finding[]> {
  const { PUBLIC_URL: publicUrl, STRIPE_API_URL: standIn } = config;
  if (!publicUrl) return [unchecked('PUBLIC_URL is not set')];
  const url = `${publicUrl}${WEBHOOK_PATH}`;
  const endpoints = await readEndpoints(stripe);
  if (endpoints === null) {
    return [
      warning(
        'the endpoint is not checked: the restricted key may not read webhook endpoints',
        `Give it that permission, or check in Stripe's dashboard that ${url} exists.`,
      ),
    ];
  }
  // In containers the stand-in reaches the gateway by another host name than browsers do.
  const isOurs = (endpoint: WebhookEndpoint) =>
    endpoint.url === url || (standIn !== undefined && endpoint.url.endsWith(WEBHOOK_PATH));
  const ours = endpoints.filter(isOurs);
  const endpoint = ours.find(({ isEnabled }) => isEnabled) ?? ours[0];
  if (!endpoint) {
    return [
      fault(
        `no webhook endpoint for ${url}`,
        `Create it with ${CREATE}, which prints the secret for STRIPE_WEBHOOK_SECRET.`,
      ),
    ];
  }
  return evaluateEndpoint(endpoint);
}

function evaluateEndpoint({
  url,
  isEnabled,
  apiVersion,
  missingEvents,
}: WebhookEndpoint): Finding[] {
  if (!isEnabled) {
    return [fault(`the endpoint ${url} is disabled`, 'Enable it in Stripe, Developers, Webhooks.')];
  }
  if (missingEvents.length > 0) {
    return [
      fault(
        `the endpoint does not listen to ${missingEvents.join(', ')}`,
        `Add them with ${CREATE}, which keeps the secret.`,
      ),
    ];
  }
  if (apiVersion !== API_VERSION) {
    return [
      warning(
        `the endpoint ${url} has API version ${apiVersion ?? "of the account's default"}`,
        `Add another with ${API_VERSION} when convenient: we use only the ids of events.`,
      ),
    ];
  }
  return [ok(`${url} listens to all events`)];
}

async function checkUndelivered(stripe: CheckedStripe): Promise<Finding> {
  const count = await countUndelivered(stripe);
  if (count === 0) return ok('no undelivered event of the last day');
  return warning(
    `${count}${count === 100 ? ' or more' : ''} events of the last day are undelivered; reconciliation fetches them`,
    'See in Stripe, Developers, Webhooks, what the endpoint answered.',
  );
}

const REGISTER = 'Register it with `npm run doctor -- --register`.';

/** The domain that Stripe knows for Apple Pay and Google Pay. */
export const wallets: Check = {
  name: 'Wallets',
  async run({ config, stripe, registers, isProduction }) {
    const { PUBLIC_URL: publicUrl } = config;
    if (!stripe) return [unchecked('STRIPE_SECRET_KEY is not set')];
    if (!publicUrl) return [unchecked('PUBLIC_URL is not set')];
    const { hostname, protocol } = new URL(publicUrl);
    if (protocol !== 'https:') {
      return [ok(`no wallets on ${publicUrl}: they need https, and a name that Stripe can reach`)];
    }
    const level = isProduction ? warning : ok;
    try {
      const found = registers
        ? await registerWalletDomain(stripe, hostname)
        : await readWalletDomain(stripe, hostname);
      if (found === 'forbidden') {
        return [
          unchecked(
            'the domain for wallets: the restricted key may not read payment method domains',
          ),
        ];
      }
      if (!found) return [level(`${hostname} is not registered: no wallets are shown`, REGISTER)];
      return evaluateWallets(hostname, found);
    } catch (error) {
      return [unchecked(`the domain for wallets: ${reasonOf(error)}`)];
    }
  },
};

function evaluateWallets(hostname: string, { isEnabled, applePay, googlePay }: WalletDomain) {
  if (!isEnabled) return [warning(`${hostname} is switched off for wallets`, REGISTER)];
  const inactive = [
    ...(applePay ? [`Apple Pay (${applePay})`] : []),
    ...(googlePay ? [`Google Pay (${googlePay})`] : []),
  ];
  if (inactive.length === 0) return [ok(`${hostname} shows Apple Pay and Google Pay`)];
  return [
    warning(
      `${hostname} is registered, and does not show ${inactive.join(', ')}`,
      'See in Stripe, Settings, Payment method domains.',
    ),
  ];
}

/** Reports payments that need an administrator's attention. */
export const payments: Check = {
  name: 'Payments',
  run: (installation) =>
    withDatabase(installation, async (db) => {
      const [attention, unknown] = await Promise.all([
        countAttention(db),
        findUnknownIntents(db, UNKNOWN_DAYS),
      ]);
      return [evaluateAttention(attention), evaluateUnknownPayments(unknown)];
    }),
};
