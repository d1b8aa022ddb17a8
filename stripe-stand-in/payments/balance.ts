import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { defineEndpoint } from '../endpoint.ts';
import { resourceMissing } from '../errors.ts';
import { newId, nowInSeconds } from '../ids.ts';
import { LIST_PARAMS, listPage, readText } from '../params.ts';
import type { Context, Work } from '../work.ts';

/** Stripe's price for cards in Norway: 2.4 % and 2 kroner. Source: https://stripe.com/en-no/pricing */
const CHARGE_FEE = { share: 0.024, fixed: 200 };
/** Stripe's price of a dispute in Norway, which it keeps: 150 kroner. */
const DISPUTE_FEE = 150_00;
/** How long the money of a charge is pending, in seconds. */
const PENDING_SECONDS = 7 * 24 * 60 * 60;

/** The account's balance, and the transactions that it is the sum of. */
export function registerBalance(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/balance_transactions',
    params: [...LIST_PARAMS, 'source', 'type'],
    run({ params }, work) {
      const [source, type] = [readText(params, 'source'), readText(params, 'type')];
      return listPage(
        work.all('balance_transaction'),
        params,
        '/v1/balance_transactions',
        (it) => (source === null || it.source === source) && (type === null || it.type === type),
      );
    },
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/balance_transactions/:id',
    params: [],
    run({ id }, work) {
      const transaction = work.get('balance_transaction', id);
      if (transaction === undefined) throw resourceMissing('balance_transaction', id, 'id');
      return transaction;
    },
  });

  // No payouts are made, so the balance is the sum of all transactions.
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/balance',
    params: [],
    run(_call, work): Stripe.Balance {
      const now = nowInSeconds();
      const sumOf = (isAvailable: boolean) =>
        work
          .all('balance_transaction')
          .filter(({ available_on }) => available_on <= now === isAvailable)
          .reduce((sum, { net }) => sum + net, 0);
      const [available, pending] = [sumOf(true), sumOf(false)];
      return {
        object: 'balance',
        available: [{ amount: available, currency: 'nok', source_types: { card: available } }],
        livemode: false,
        pending: [{ amount: pending, currency: 'nok', source_types: { card: pending } }],
      };
    },
  });
}

/** The money of a paid charge, less Stripe's fee. Returns the charge with its transaction. */
export function bookCharge(work: Work, charge: Stripe.Charge): Stripe.Charge {
  const fee = Math.round(charge.amount * CHARGE_FEE.share) + CHARGE_FEE.fixed;
  const isCard = charge.payment_method_details?.type === 'card';
  const id = book(work, charge, {
    amount: charge.amount,
    fee,
    type: isCard ? 'charge' : 'payment',
    reporting_category: 'charge',
  });
  return { ...charge, balance_transaction: id };
}

/** The money of a refund. Stripe keeps the fee of its charge. */
export function bookRefund(
  work: Work,
  refund: Stripe.Refund,
  charge: Stripe.Charge,
): Stripe.Refund {
  const isCard = charge.payment_method_details?.type === 'card';
  const id = book(work, refund, {
    amount: -refund.amount,
    fee: 0,
    type: isCard ? 'refund' : 'payment_refund',
    reporting_category: 'refund',
  });
  return { ...refund, balance_transaction: id };
}

/** The money that a dispute takes or, when it is won, gives back. */
export function bookDispute(
  work: Work,
  dispute: Stripe.Dispute,
  direction: 'withdrawn' | 'reinstated',
): Stripe.Dispute {
  const isTaken = direction === 'withdrawn';
  const id = book(work, dispute, {
    amount: isTaken ? -dispute.amount : dispute.amount,
    fee: isTaken ? DISPUTE_FEE : 0,
    type: 'adjustment',
    reporting_category: isTaken ? 'dispute' : 'dispute_reversal',
  });
  const transaction = work.get('balance_transaction', id)!;
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, transaction] };
}

type Booking = Pick<Stripe.BalanceTransaction, 'amount' | 'fee' | 'type' | 'reporting_category'>;

function book(
  work: Work,
  { id: source, currency }: { id: string; currency: string },
  { amount, fee, type, reporting_category }: Booking,
): string {
  const id = newId('txn');
  const created = nowInSeconds();
  work.put('balance_transaction', id, {
    id,
    object: 'balance_transaction',
    amount,
    available_on: created + PENDING_SECONDS,
    balance_type: 'payments',
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category,
    source,
    status: 'pending',
    type,
  });
  return id;
}
