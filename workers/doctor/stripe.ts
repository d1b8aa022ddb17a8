import {
  canCharge,
  checkKey,
  type CheckedStripe,
} from '@proveklar/services/payments/stripe/check-stripe.ts';
import { API_VERSION } from '@proveklar/services/payments/stripe/stripe-client.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { compareClocks } from './clocks.ts';
import {
  fault,
  type Finding,
  ok,
  unchecked,
  warning,
} from '@proveklar/operators/status/finding.ts';
import type { Check, Installation } from './installation.ts';

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
