import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;
let admin: string;

beforeAll(async () => {
  admin = gateway.deps.config.ADMIN_EMAIL;
  token = (await gateway.identity.signInWithGoogle({ email: admin })).idToken;
});
beforeEach(async () => {
  await setPrice(gateway.deps.db, 149_00, 30);
  await gateway.deps.db.query('delete from audit_entry');
});

const put = (body: unknown) => gateway.call('PUT', '/admin/settings', { token, body });
const read = async () => (await gateway.call('GET', '/admin/settings', { token })).body;
const config = async () => (await gateway.call('GET', '/config')).body;
const recorded = async () => {
  const { body } = await gateway.call('GET', '/admin/audit', { token });
  return body.entries.map(({ actor, action, details }: Record<string, unknown>) => ({
    actor,
    action,
    details,
  }));
};

describe('the settings', () => {
  test('settings have no updated_by before the first change', async () => {
    expect(await read()).toMatchObject({ price: 149, updated_at: null, updated_by: null });
  });

  test('a changed price is used at once', async () => {
    const { status, body } = await put({ price: 199.5, service_days: 60 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ price: 199.5, service_days: 60, updated_by: admin });
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.now() - 60_000);
    expect(await config()).toMatchObject({ price: 199.5, service_days: 60 });
    expect(await recorded()).toEqual([
      {
        actor: admin,
        action: 'settings.updated',
        details: {
          changes: {
            price: { before: 149, after: 199.5 },
            service_days: { before: 30, after: 60 },
          },
        },
      },
    ]);
  });

  test('an unchanged setting is neither written nor audited', async () => {
    const before = await read();
    const { status, body } = await put({ price: 149, service_days: 30 });
    expect([status, body]).toEqual([200, before]);
    expect(await recorded()).toEqual([]);
  });

  test('concurrent changes of different settings by two administrators are both kept', async () => {
    const { pool } = gateway.database;
    const isWaiting = async () => {
      const { rows } = await pool.query(
        `select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].count as number;
    };
    const saving = await withTransaction(pool, async (other) => {
      await other.query('update settings set service_days = 90');
      const answer = put({ price: 99 });
      await expect.poll(isWaiting).toBe(1);
      return { answer };
    });
    expect((await saving.answer).body).toMatchObject({ price: 99, service_days: 90 });
    const [{ details }] = await recorded();
    expect(details).toEqual({ changes: { price: { before: 149, after: 99 } } });
  });

  test.each([0, 3, 3.01, 8.2, 19.99, 1234.56, 99_999.99])(
    'the settings accept a price of %d NOK',
    async (price) => {
      expect((await put({ price })).body.price).toBe(price);
      expect((await config()).price).toBe(price);
    },
  );

  test.each([
    ['a text', '149'],
    ['nothing', null],
    ['less than nothing', -1],
    ['too much', 100_000],
    ['a part of an øre', 149.005],
    ['a hundred thousandth', 1e-5],
    ['less than Stripe takes', 0.01],
    ['a little less than Stripe takes', 2.99],
  ])('the settings refuse a price that is %s', async (_what, price) => {
    const { status, body } = await put({ price });
    expect([status, body.code, body.details.field]).toEqual([400, 'validation_failed', 'price']);
    expect((await read()).price).toBe(149);
  });

  test.each([0, -1, 1.5, 3651, '30', null])('the settings refuse %j days', async (service_days) => {
    const { status, body } = await put({ service_days });
    expect([status, body.details.field]).toEqual([400, 'service_days']);
  });
});

describe('the seller', () => {
  const SELLER = {
    seller_name: 'Eksempelforlaget AS',
    seller_organisation_number: '987654325',
    seller_address: 'Eksempelveien 1\n0001 Oslo',
    seller_vat_registered: false,
  };

  test('the seller is saved and cleared', async () => {
    expect((await put({ ...SELLER, seller_name: ' Eksempelforlaget AS ' })).body).toMatchObject(
      SELLER,
    );
    expect((await config()).seller).toEqual({
      name: SELLER.seller_name,
      organisation_number: SELLER.seller_organisation_number,
      address: SELLER.seller_address,
      vat_registered: false,
    });
    const gone = { seller_name: null, seller_organisation_number: null, seller_address: null };
    expect((await put({ ...gone, seller_vat_registered: true })).body).toMatchObject(gone);
    expect((await config()).seller).toBeNull();
  });

  // The second to last would need check digit 10.
  test.each(['987654321', '98765432', '987 654 325', '100000080', '000000010'])(
    'has no organisation number %s',
    async (seller_organisation_number) => {
      const { status, body } = await put({ seller_organisation_number });
      expect([status, body.details.field]).toEqual([400, 'seller_organisation_number']);
    },
  );

  test.each([{ seller_name: '' }, { seller_name: ' ' }, { seller_address: 'x'.repeat(501) }])(
    'refuses %j',
    async (body) => {
      expect((await put(body)).status).toBe(400);
    },
  );
});

describe('the support address', () => {
  test('the support address of the settings replaces the one of the environment until it is cleared', async () => {
    const own = gateway.deps.config.SUPPORT_EMAIL;
    const { body } = await put({ support_email: 'hjelp@example.no' });
    expect(body).toMatchObject({
      support_email: 'hjelp@example.no',
      support_email_in_use: 'hjelp@example.no',
    });
    expect((await config()).support_email).toBe('hjelp@example.no');
    await put({ support_email: null });
    expect(await read()).toMatchObject({ support_email: null, support_email_in_use: own });
    expect((await config()).support_email).toBe(own);
  });

  test.each(['', 'nobody', 'a@b', 'a@example.no,b@example.no', 'A <a@example.no>'])(
    'is not %j',
    async (support_email) => {
      const { status, body } = await put({ support_email });
      expect([status, body.details.field]).toEqual([400, 'support_email']);
    },
  );
});
