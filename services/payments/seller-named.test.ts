import { beforeAll, expect, test } from 'vitest';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { createExtensionIntent, createRegistrationIntent } from './create-intent.ts';

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

const DETAILS = {
  seller_name: 'Prøveklar AS',
  seller_organisation_number: '923609016',
  seller_address: 'Storgata 1, 0155 Oslo',
};

const setSeller = (details: Partial<Record<keyof typeof DETAILS, string>>) =>
  gateway.deps.db.query(
    `update settings set seller_name = $1, seller_organisation_number = $2, seller_address = $3`,
    Object.keys(DETAILS).map((name) => details[name as keyof typeof DETAILS] ?? null),
  );

const register = (isLive: boolean) =>
  createRegistrationIntent({ ...gateway.deps, isLive }, { email: uniqueEmail(), username: 'Demo' });

test.each(['seller_name', 'seller_organisation_number', 'seller_address'] as const)(
  'no live payment starts without %s, and nothing is made at Stripe',
  async (missing) => {
    await setSeller({ ...DETAILS, [missing]: undefined });
    const { db, stripe } = gateway.deps;
    const before = (await stripe.paymentIntents.list({ limit: 100 })).data.length;
    await expect(register(true)).rejects.toMatchObject({ code: 'payments_closed' });
    const user = await gateway.identity.createPasswordUser();
    const account = { id: await addDays(db, user, 1), email: user.email, language: 'no' as const };
    const extend = createExtensionIntent({ ...gateway.deps, isLive: true }, account);
    await expect(extend).rejects.toMatchObject({ code: 'payments_closed' });
    expect((await stripe.paymentIntents.list({ limit: 100 })).data).toHaveLength(before);
    // Test mode is free to try.
    await register(false);
  },
);

test('with all three, live payments start', async () => {
  await setSeller(DETAILS);
  expect(await register(true)).toMatchObject({ amount: 149_00 });
});

test('a new database sells without VAT until it is said to be on', async () => {
  const { rows } = await gateway.deps.db.query('select seller_vat_registered from settings');
  expect(rows).toEqual([{ seller_vat_registered: false }]);
});
