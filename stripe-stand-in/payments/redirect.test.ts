import { expect, test } from 'vitest';
import { eventTypes, failureOf, startBoth } from '../test-support.ts';

const RETURN_URL = 'https://example.no/quiz/payment?lng=no';

/** A payment that waits for its customer at the page of Vipps. */
async function leaveForVipps() {
  const { stripe, control } = await startBoth();
  const { id } = await stripe.paymentIntents.create({
    amount: 14_900,
    currency: 'nok',
    allowed_payment_method_types: ['card', 'vipps'],
  });
  const confirm = () =>
    stripe.paymentIntents.confirm(id, {
      payment_method_data: { type: 'vipps' as 'card' },
      return_url: RETURN_URL,
    });
  const { next_action: action } = await confirm();
  const url = action!.redirect_to_url!.url!;
  /** Presses a button of the page, and returns where it leads. */
  const press = async (outcome: string, page = url) => {
    const body = new URLSearchParams({ outcome });
    const response = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    expect(response.status).toBe(303);
    return new URL(response.headers.get('location')!);
  };
  return { stripe, control, id, url, press, confirm };
}

test('approved: it is charged, and leads back with the payment and its secret', async () => {
  const { stripe, id, url, press } = await leaveForVipps();
  expect(await (await fetch(url)).text()).toContain('redirect-accept');
  const back = await press('complete');
  expect(back.href).toContain('https://example.no/quiz/payment?lng=no&payment_intent=pi_');
  expect(back.searchParams.get('redirect_status')).toBe('succeeded');
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  expect(intent).toMatchObject({
    status: 'succeeded',
    latest_charge: { payment_method_details: { type: 'vipps' } },
  });
  expect(back.searchParams.get('payment_intent_client_secret')).toBe(intent.client_secret);
});

test('refused: the intent requires another method', async () => {
  const { stripe, id, press } = await leaveForVipps();
  expect((await press('fail')).searchParams.get('redirect_status')).toBe('failed');
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_method_customer_decline' },
  });
  expect(await eventTypes(stripe)).toContain('payment_intent.payment_failed');
});

test('opened twice, the page decides nothing the second time', async () => {
  const { stripe, id, url, press } = await leaveForVipps();
  await press('complete');
  const page = await (await fetch(url)).text();
  expect(page).toContain('redirect-back');
  expect(page).not.toContain('redirect-accept');
  expect((await press('fail')).searchParams.get('redirect_status')).toBe('succeeded');
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded' });
});

test('the page of an earlier attempt decides nothing any more', async () => {
  const { stripe, id, url, press, confirm } = await leaveForVipps();
  await confirm();
  await press('complete', url);
  expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'requires_action' });
  await stripe.paymentIntents.cancel(id);
  expect((await press('complete', url)).searchParams.get('redirect_status')).toBe('failed');
});

test('needs a return_url, and an intent that allows it', async () => {
  const { stripe, id } = await leaveForVipps();
  const vipps = { payment_method_data: { type: 'vipps' as 'card' } };
  expect(await failureOf(stripe.paymentIntents.confirm(id, vipps))).toMatchObject({
    code: 'parameter_missing',
    param: 'return_url',
  });
  const cards = await stripe.paymentIntents.create({ amount: 14_900, currency: 'nok' });
  const refused = stripe.paymentIntents.confirm(cards.id, { ...vipps, return_url: RETURN_URL });
  expect(await failureOf(refused)).toMatchObject({ code: 'payment_intent_invalid_parameter' });
});
