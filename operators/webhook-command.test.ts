import { expect, test } from 'vitest';
import { STRIPE_EVENT_TYPES } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { API_VERSION, createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { useStripeStandIns } from '@proveklar/tests/support/stripe-stand-ins.ts';
import { runWebhookCommand } from './webhook-command.ts';

const standIns = useStripeStandIns();
const SITE = 'https://proveklar.example.no';
const ENDPOINT = `${SITE}/api/v1/stripe/webhook`;

/** A Stripe that has an endpoint for something else. */
async function stripeWithOther() {
  const apiUrl = await standIns.start('http://127.0.0.1:1/other', ['charge.refunded']);
  const stripe = createStripeClient({ secretKey: 'sk_test_local', apiUrl });
  const environment = {
    STRIPE_SECRET_KEY: 'sk_test_local',
    STRIPE_API_URL: apiUrl,
    PUBLIC_URL: SITE,
  };
  const ours = async () => {
    const { data } = await stripe.webhookEndpoints.list();
    return data.filter(({ url }) => url === ENDPOINT);
  };
  return { stripe, environment, ours };
}

test('creates the endpoint with our events and version once, and prints the secret', async () => {
  const { environment, ours } = await stripeWithOther();
  const first = await runWebhookCommand(['create'], environment);
  expect(first).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^STRIPE_WEBHOOK_SECRET=whsec_\w{32}$/m),
  });
  expect(await ours()).toMatchObject([
    { enabled_events: [...STRIPE_EVENT_TYPES], api_version: API_VERSION, status: 'enabled' },
  ]);
  const second = await runWebhookCommand(['create'], environment);
  expect(second).toMatchObject({ code: 0, text: expect.stringContaining('Nothing to do') });
  expect(second.text).not.toContain('whsec_');
  expect(await ours()).toHaveLength(1);
});

test('completes an endpoint that lacks events or is disabled, and keeps it', async () => {
  const { stripe, environment, ours } = await stripeWithOther();
  const { id } = await stripe.webhookEndpoints.create({
    url: ENDPOINT,
    enabled_events: ['charge.refunded'],
  });
  await stripe.webhookEndpoints.update(id, { disabled: true });
  const { text } = await runWebhookCommand(['create'], environment);
  expect(text).toContain(`Added the missing events to ${id}`);
  expect(await ours()).toMatchObject([
    { id, enabled_events: [...STRIPE_EVENT_TYPES], status: 'enabled' },
  ]);
});

test('for this machine, which Stripe cannot call, it names stripe listen', async () => {
  const environment = { STRIPE_SECRET_KEY: 'sk_test_x', PUBLIC_URL: 'http://127.0.0.1:3000' };
  const { code, text } = await runWebhookCommand(['create'], environment);
  expect([code, text]).toEqual([
    1,
    expect.stringContaining(
      'stripe listen --forward-to http://127.0.0.1:3000/api/v1/stripe/webhook',
    ),
  ]);
});

test('an error of Stripe, and a wrong call, have exit codes of their own', async () => {
  const { environment } = await stripeWithOther();
  const refused = await runWebhookCommand(['create'], {
    ...environment,
    STRIPE_SECRET_KEY: 'sk_test_wrong-key',
  });
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('Invalid API Key') });
  for (const args of [[], ['delete'], ['create', '--what']]) {
    expect(await runWebhookCommand(args, environment)).toMatchObject({ code: 2 });
  }
  expect(await runWebhookCommand(['create'], {})).toMatchObject({ code: 2 });
});
