import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET, type TestGateway } from './gateway.ts';

/** Sends the gateway a `payment_intent.succeeded` webhook, signed as Stripe signs. */
export async function sendPaymentSucceeded(
  { app }: Pick<TestGateway, 'app'>,
  paymentIntentId: string,
): Promise<void> {
  const payload = JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: paymentIntentId, object: 'payment_intent' } },
  });
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', WEBHOOK_SECRET)
    .update(`${timestamp}.${payload}`)
    .digest('hex');
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/stripe/webhook',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': `t=${timestamp},v1=${signature}`,
    },
    payload,
  });
  if (response.statusCode !== 200) throw new Error(response.body);
}
