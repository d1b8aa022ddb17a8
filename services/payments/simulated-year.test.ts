import { parse } from 'csv-parse/sync';
import { afterEach, expect, test, vi } from 'vitest';
import { grantDays } from '#accounts/grant-days.ts';
import { createLearner, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { payByRedirect, payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';
import { randomFor } from '@proveklar/tests/support/random.ts';
import { bySize, testSeed } from '@proveklar/tests/support/settings.ts';
import { exportLedger, readMoney } from './books/ledger.ts';
import { syncPayment } from './books/sync-payment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { createExtensionIntent } from './create-intent.ts';
import { readBalance } from './incoming/read-balance.ts';
import { findPaymentByIntent } from './payment.ts';
import { findPurchase, withdraw } from './purchases.ts';
import { createStripeClient } from './provider/stripe.ts';
import { makeRefund, refundPayment } from './refund.ts';

// A year of sales, with what banks, learners and administrators do to them. The CSV for the accountant, the figures of
// the portal, the receipts and the balance at Stripe then have the same sums, to the øre.
const PAYMENTS = bySize({ quick: 60, large: 200, full: 10_000 });
const SEED = testSeed('this year');
const YEAR = 2025;
/** A year of ten thousand payments takes minutes. */
const TIMEOUT_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const gateway = useTestGateway();
afterEach(() => vi.useRealTimers());

/** What becomes of a payment, each as often as its number says. */
const REVERSALS = {
  none: 66,
  part: 6,
  two_parts: 4,
  full: 5,
  at_stripe: 3,
  withdrawn: 6,
  disputed: 3,
  won: 4,
  lost: 3,
};
const METHODS = {
  pm_card_visa: 70,
  pm_card_mastercard: 10,
  pm_card_applePay: 10,
  pm_card_googlePay: 10,
} as const;
/** Kroner that a fifth does not divide into whole øre. */
const PRICES = [149_00, 99_99, 249_49, 3_01];

/** Øre, as Excel in Norwegian reads the cell. */
const oreIn = (cell = '') => Math.round(Number(cell.replace(',', '.')) * 100);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

interface Cells {
  Dato: string;
  Type: string;
  Kvittering: string;
  'Beløp med mva.': string;
  'Mva.': string;
  'Beløp uten mva.': string;
  'Gebyr hos Stripe': string;
}

test(
  `a year of ${PAYMENTS} payments is the same to the øre in the CSV, the portal and at Stripe`,
  { timeout: TIMEOUT_MS },
  async () => {
    const { db, stripe } = gateway.deps;
    const random = randomFor(SEED, 'year');
    // From here on, the stand-in's clock is that of the simulated year; the database keeps its own.
    vi.useFakeTimers({ toFake: ['Date'] });
    const start = Date.UTC(YEAR - 1, 11, 31, 23);
    const length = 365 * DAY_MS;
    const times = Array.from({ length: PAYMENTS }, () => start + random.below(length));
    times.sort((a, b) => a - b);

    const done: Record<string, number> = {};
    let grossOre = 0;
    for (const [n, paidAt] of times.entries()) {
      if (n % Math.ceil(PAYMENTS / 12) === 0) {
        await setPrice(db, PRICES[random.below(PRICES.length)]!);
        await db.query('update settings set seller_vat_registered = $1', [n > PAYMENTS / 3]);
      }
      const learner = await createLearner(db, { days: 0 });
      const account = { ...learner, language: 'no' as const };
      vi.setSystemTime(paidAt);
      const method = random.weighted({ ...METHODS, vipps: 12 });
      const intent = await createExtensionIntent(
        { ...gateway.deps, paymentMethods: ['card', 'vipps'] },
        account,
        { consentVersion: 'no-2026-11' },
      );
      const intentId = intent.payment_intent_id!;
      if (method === 'vipps') await payByRedirect(gateway, intentId);
      else await payWithCard(gateway, intentId, method);
      await confirmPayment(gateway.deps, intentId);
      const { id } = (await findPaymentByIntent(db, intentId))!;
      grossOre += intent.amount;
      if (random.chance(0.05)) {
        const order = { days: 7, note: 'Test', key: crypto.randomUUID(), actor: 'test' };
        await grantDays(gateway.deps, { to: { audience: 'active' }, ...order });
      }

      const reversal = random.weighted(REVERSALS);
      done[reversal] = (done[reversal] ?? 0) + 1;
      // Within the year, so that its CSV has all that Stripe's balance has.
      const reversedAt = Math.min(paidAt + random.below(13 * DAY_MS), start + length - 1_000);
      vi.setSystemTime(reversedAt);
      await reverse(reversal, { id, intentId, accountId: learner.id });
      await moveTo({ id, accountId: learner.id }, new Date(paidAt), new Date(reversedAt));
    }
    vi.useRealTimers();
    await readBalance({ db, stripe });

    const text = (await Array.fromAsync(exportLedger(db, String(YEAR)))).join('');
    expect(text.startsWith('\uFEFFDato;')).toBe(true);
    const rows = parse<Cells>(text, { delimiter: ';', bom: true, columns: true });
    const amounts = rows.map((row) => oreIn(row['Beløp med mva.']));
    const fees = rows.map((row) => oreIn(row['Gebyr hos Stripe']));
    const vat = rows.map((row) => oreIn(row['Mva.']));
    const sales = rows.filter(({ Type }) => Type === 'Salg');

    // The receipts.
    const receipts = await db.query<{ number: number; amount_ore: number; vat_ore: number }>(
      'select number, amount_ore, vat_ore from receipt order by number',
    );
    const inCsv = sales
      .map((row) => ({
        number: Number(row.Kvittering),
        amount_ore: oreIn(row['Beløp med mva.']),
        vat_ore: oreIn(row['Mva.']),
      }))
      .toSorted((a, b) => a.number - b.number);
    expect(inCsv).toEqual(receipts.rows);
    expect([inCsv.length, sum(inCsv.map((row) => row.amount_ore))]).toEqual([PAYMENTS, grossOre]);

    // Stripe's own balance.
    const balance = await stripeBalance();
    expect(sum(amounts) - sum(fees)).toBe(balance);

    // The portal.
    const money = await readMoney(db, String(YEAR));
    const { total, methods, rows: months } = money;
    expect(money.stripe).toMatchObject({ compared: PAYMENTS, differing: 0, differences: [] });
    expect(total.gross - total.refunded - total.disputed).toBe(sum(amounts));
    expect([total.vat, total.fees]).toEqual([sum(vat), sum(fees)]);
    expect(total.net).toBe(sum(rows.map((row) => oreIn(row['Beløp uten mva.']))));
    for (const parts of [months, methods]) {
      for (const field of [
        'sales',
        'gross',
        'refunded',
        'disputed',
        'vat',
        'net',
        'fees',
      ] as const) {
        expect([field, sum(parts.map((row) => row[field] ?? 0))]).toEqual([field, total[field]]);
      }
    }
    expect(months).toHaveLength(12);
    for (const { period, gross } of months) {
      const ofMonth = sales.filter(({ Dato }) =>
        Dato.endsWith(period.split('-').toReversed().join('.')),
      );
      expect([period, sum(ofMonth.map((row) => oreIn(row['Beløp med mva.'])))]).toEqual([
        period,
        gross,
      ]);
      const days = await readMoney(db, period);
      expect([period, days.total.gross, sum(days.rows.map((row) => row.gross))]).toEqual([
        period,
        gross,
        gross,
      ]);
    }
    process.stdout.write(
      `${JSON.stringify({ payments: PAYMENTS, done, csvRows: rows.length, grossOre, leftOre: sum(amounts), feesOre: sum(fees), balanceOre: balance })}\n`,
    );
  },
);

/** The whole balance of the account at the stand-in, which makes no payouts. */
async function stripeBalance(): Promise<number> {
  const client = createStripeClient({ secretKey: 'sk_test_local', apiUrl: gateway.stripeUrl });
  const { available, pending } = await client.balance.retrieve();
  return sum([...available, ...pending].map(({ amount }) => amount));
}

interface Paid {
  id: string;
  intentId: string;
  accountId: string;
}

async function reverse(reversal: keyof typeof REVERSALS, paid: Paid): Promise<void> {
  const { deps } = gateway;
  const { id: paymentId, intentId } = paid;
  const refund = async (share: number | null) => {
    const { amount_ore } = (await findPaymentByIntent(deps.db, intentId))!;
    const { id } = await refundPayment(deps.db, {
      paymentId,
      amountOre: share === null ? null : Math.max(1, Math.floor(amount_ore * share)),
      note: null,
      key: crypto.randomUUID(),
      actor: 'test',
    });
    await makeRefund(deps, id);
  };
  const dispute = async (evidence?: 'winning_evidence' | 'losing_evidence') => {
    const charges = await deps.stripe.charges.list({ payment_intent: intentId });
    const { id } = await stripeControl(gateway).dispute(charges.data[0]!.id);
    await syncPayment(deps, intentId);
    if (!evidence) return;
    await deps.stripe.disputes.update(id, {
      evidence: { uncategorized_text: evidence },
      submit: true,
    });
    await syncPayment(deps, intentId);
  };
  const deeds = {
    none: async () => {},
    part: () => refund(1 / 3),
    two_parts: async () => {
      await refund(0.37);
      await refund(0.21);
    },
    full: () => refund(null),
    at_stripe: async () => {
      await deps.stripe.refunds.create({ payment_intent: intentId, amount: 77 });
      await syncPayment(deps, intentId);
    },
    withdrawn: () => withdrawAfterDays(paid),
    disputed: () => dispute(),
    won: () => dispute('winning_evidence'),
    lost: () => dispute('losing_evidence'),
  };
  await deeds[reversal]();
}

/** A withdrawal after three days of use, so that a part of the price is kept. */
async function withdrawAfterDays({ id, accountId }: Paid): Promise<void> {
  const { deps } = gateway;
  await deps.db.query(
    `update payment set settled_at = settled_at - interval '3 days' where id = $1`,
    [id],
  );
  await deps.db.query(
    `update credit set credited_at = credited_at - interval '3 days' where payment_id = $1`,
    [id],
  );
  const { withdrawal } = (await findPurchase(deps.db, accountId, id))!;
  const refundOre = withdrawal!.refund_ore;
  const refund = await withdraw(deps, { accountId, paymentId: id, refundOre });
  await makeRefund(deps, refund.id);
}

/** Moves what the database's clock has stamped into the simulated year. */
async function moveTo(
  { id, accountId }: Pick<Paid, 'id' | 'accountId'>,
  paidAt: Date,
  reversedAt: Date,
): Promise<void> {
  const { db } = gateway.deps;
  await db.query('update receipt set issued_at = $2 where payment_id = $1', [id, paidAt]);
  await db.query('update payment set created_at = $2, settled_at = $2 where id = $1', [id, paidAt]);
  await db.query(
    'update dispute set closed_at = $2 where payment_id = $1 and closed_at is not null',
    [id, reversedAt],
  );
  // The learner's access ends in the past, so that later grants to all active ones stay few.
  await db.query(`update account set service_expires_at = now() where id = $1`, [accountId]);
}
