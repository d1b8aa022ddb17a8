import { describe, expect, test } from 'vitest';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';
import { formatReconciliation, needsAttention, reconcileByHand } from './reconcile-command.ts';

const gateway = useTestGateway();

describe('the reconcile command', () => {
  test('reports after a timeout that no worker runs', async () => {
    const outcome = await reconcileByHand(gateway.deps, {
      days: 30,
      here: false,
      startTimeoutMs: 0,
    });
    expect(needsAttention(outcome)).toBe(true);
    expect(formatReconciliation(outcome)).toContain('npm run reconcile -- --here');
  });

  test('compares in this process with --here, and names payments that our books lack', async () => {
    const { deps } = gateway;
    expect(needsAttention(await reconcileByHand(deps, { days: 1, here: true }))).toBe(false);
    await setPrice(deps.db, 149_00);
    const intent = await deps.stripe.paymentIntents.create({
      amount: 149_00,
      currency: 'nok',
      metadata: { payment_id: crypto.randomUUID() },
    });
    await payWithCard(gateway, intent.id);
    const outcome = await reconcileByHand(deps, { days: 1, here: true });
    expect(outcome.reconciliation).toMatchObject({ state: 'done', unknown_intents: [intent.id] });
    expect(formatReconciliation(outcome)).toMatch(/Payments not in our books +1\n/);
    expect(formatReconciliation(outcome)).toContain(`${intent.id}: paid at Stripe`);
    expect(needsAttention(outcome)).toBe(true);
  });
});
