import type { IntentResponse } from '@proveklar/contract/payment.ts';
import { expect, test, vi } from 'vitest';
import { paymentKey } from '#lib/payment-keys.ts';
import { cancelPayment } from './cancel-payment.ts';

const CONTENT = { email: 'a@example.no', username: 'Kari' };
const INTENT: IntentResponse = {
  client_secret: 'pi_1_secret_2',
  payment_intent_id: 'pi_1',
  amount: 149_00,
  service_days: 30,
};

function answerWith(status: number, body: object) {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status })));
  return () => vi.unstubAllGlobals();
}

test.each([
  [200, { ok: true }, 'cancelled', true],
  [404, { code: 'payment_not_found' }, 'cancelled', true],
  // It may be paid in another tab, so the next start must get the same payment.
  [502, { code: 'payment_provider_failed' }, 'unknown', false],
  [409, { code: 'payment_completed' }, 'completed', false],
])(
  'an answer of %i %j gives %s, and a new key: %j',
  async (status, body, cancellation, isNewKey) => {
    const key = await paymentKey(CONTENT);
    const restore = answerWith(status, body);
    expect(await cancelPayment(INTENT)).toBe(cancellation);
    restore();
    expect((await paymentKey(CONTENT)) !== key).toBe(isNewKey);
  },
);
