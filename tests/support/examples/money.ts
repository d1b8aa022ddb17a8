import { PAYMENT_ID } from '@proveklar/gateway/openapi/examples/admin-payments.ts';
import type { TestGateway } from '../gateway.ts';
import { buyAccess } from '../pay.ts';
import { signIn, signInAdmin, type Call, type SetUps } from './set-up.ts';

/** A payment that is moved to 14 March 2025, after the balance at Stripe was read without it. */
async function soldInMarch(gateway: TestGateway): Promise<Call> {
  const { db } = gateway.deps;
  const { token } = await signInAdmin(gateway);
  const learner = await signIn(gateway);
  const id = await buyAccess(gateway, learner.token);
  await db.query(`update receipt set issued_at = '2025-03-14T12:00:00Z' where payment_id = $1`, [
    id,
  ]);
  await db.query(`insert into balance_reading (read_at) values (now() + interval '1 hour')`);
  return { token, real: { [PAYMENT_ID]: id } };
}

async function openedInFebruary(gateway: TestGateway): Promise<Call> {
  await gateway.deps.db.query(
    `insert into daily_count (day, name, count) values ('2025-02-14', 'sample_opened', 12)`,
  );
  return { token: (await signInAdmin(gateway)).token };
}

export const moneySetUps: SetUps = {
  'readMoney.march': soldInMarch,
  'readFunnel.february': openedInFebruary,
};
