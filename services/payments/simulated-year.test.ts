import { parse } from 'csv-parse/sync';
import { afterEach, expect, test, vi } from 'vitest';
import { grantDays } from '#accounts/grant-days.ts';
import { createLearner, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { payByRedirect, payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';
import { type Random, randomFor } from '@proveklar/tests/support/random.ts';
import { bySize, testSeed } from '@proveklar/tests/support/settings.ts';
import { exportLedger, readMoney } from './books/ledger.ts';
import { syncPayment } from './books/sync-payment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { createExtensionIntent, createPacketIntent } from './create-intent.ts';
import { readPacket, refundUnused } from './codes/buyer.ts';
import { redeemCode } from './codes/redeem-code.ts';
import { readBalance } from './incoming/read-balance.ts';
import { findPaymentByIntent } from './payment.ts';
import { findPurchase, withdraw } from './purchases.ts';
import { createStripeClient } from './provider/stripe.ts';
import { makeRefund, refundPayment } from './refund.ts';

// A year of sales, to learners and of codes to schools, with what banks, buyers and administrators do to them. The
// CSV for the accountant, the figures of the portal, the receipts and the balance at Stripe then have the same sums,
// to the øre.
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
/** How many of the payments buy codes. */
const PACKETS = 0.1;
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
      vi.setSystemTime(paidAt);
      const paid = random.chance(PACKETS) ? await sellCodes(random, n) : await sellDays(random);
      grossOre += paid.amount;
      if (paid.packetKey) done.packets = (done.packets ?? 0) + 1;
      done['codes redeemed'] = (done['codes redeemed'] ?? 0) + paid.redeemed;
      if (random.chance(0.05)) {
        const order = { days: 7, note: 'Test', key: crypto.randomUUID(), actor: 'test' };
        await grantDays(gateway.deps, { to: { audience: 'active' }, ...order });
      }

      const reversal = random.weighted(REVERSALS);
      done[reversal] = (done[reversal] ?? 0) + 1;
      // Within the year, so that its CSV has all that Stripe's balance has.
      const reversedAt = Math.min(paidAt + random.below(13 * DAY_MS), start + length - 1_000);
      vi.setSystemTime(reversedAt);
      await reverse(reversal, paid);
      await moveTo(paid, new Date(paidAt), new Date(reversedAt));
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
  amount: number;
  /** Those whose access it gave: the learner, or who redeemed its codes. */
  accountIds: string[];
  /** Of the buyer's page of a packet; null for a learner's payment. */
  packetKey: string | null;
  redeemed: number;
}

/** A learner buys days. */
async function sellDays(random: Random): Promise<Paid> {
  const { deps } = gateway;
  const learner = await createLearner(deps.db, { days: 0 });
  const method = random.weighted({ ...METHODS, vipps: 12 });
  const intent = await createExtensionIntent(
    { ...deps, paymentMethods: ['card', 'vipps'] },
    { ...learner, language: 'no' },
    { consentVersion: 'no-2026-11' },
  );
  const intentId = intent.payment_intent_id!;
  if (method === 'vipps') await payByRedirect(gateway, intentId);
  else await payWithCard(gateway, intentId, method);
  await confirmPayment(deps, intentId);
  const { id } = (await findPaymentByIntent(deps.db, intentId))!;
  const accountIds = [learner.id];
  return { id, intentId, amount: intent.amount, accountIds, packetKey: null, redeemed: 0 };
}

/** A school buys codes, and some of its learners redeem theirs. */
async function sellCodes(random: Random, n: number): Promise<Paid> {
  const { deps } = gateway;
  const codes = 5 + random.below(16);
  const intent = await createPacketIntent(deps, {
    email: `skole-${n}@example.no`,
    organisation: 'Voksenopplæringen',
    organisationNumber: '923609016',
    codes,
    language: 'no',
    clientAddress: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  });
  const intentId = intent.payment_intent_id!;
  await payWithCard(gateway, intentId, random.weighted(METHODS));
  const { payment, kept_back: given } = await readPacket(deps, intent.packetKey);
  const used = given!.slice(0, random.below(codes + 1));
  const accountIds: string[] = [];
  for (const code of used) {
    const { id } = await createLearner(deps.db, { days: 0 });
    await redeemCode(deps, id, code);
    accountIds.push(id);
  }
  const { packetKey, amount } = intent;
  return { id: payment.id, intentId, amount, accountIds, packetKey, redeemed: used.length };
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
    withdrawn: () => (paid.packetKey ? returnUnused(paid.packetKey) : withdrawAfterDays(paid)),
    disputed: () => dispute(),
    won: () => dispute('winning_evidence'),
    lost: () => dispute('losing_evidence'),
  };
  await deeds[reversal]();
}

/** A withdrawal after three days of use, so that a part of the price is kept. */
async function withdrawAfterDays({ id, accountIds }: Paid): Promise<void> {
  const { deps } = gateway;
  const accountId = accountIds[0]!;
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

/** The buyer of a packet gets back what the unused codes cost, if there are any. */
async function returnUnused(packetKey: string): Promise<void> {
  const { deps } = gateway;
  const { refundable } = await readPacket(deps, packetKey);
  if (!refundable) return;
  const { id } = await refundUnused(deps, packetKey, refundable.ore);
  await makeRefund(deps, id);
}

/** Moves what the database's clock has stamped into the simulated year. */
async function moveTo(
  { id, accountIds }: Pick<Paid, 'id' | 'accountIds'>,
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
  await db.query(`update account set service_expires_at = now() where id = any ($1)`, [accountIds]);
}
