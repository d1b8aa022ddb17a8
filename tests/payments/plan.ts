import { uniqueEmail } from '#support/identity.ts';
import { type Random, randomFor } from '#support/random.ts';

/** The course of a payment at the bank. */
export type BankOutcome =
  | 'paid'
  | 'declined_then_paid'
  | 'authenticated'
  | 'processed'
  | 'wallet'
  | 'redirected'
  | 'declined'
  | 'abandoned'
  | 'processing'
  | 'not_authenticated'
  | 'redirect_refused'
  | 'redirect_closed'
  | 'cancelled';

/** Refunds and disputes of the payment afterwards. */
export type Reversal =
  | 'none'
  | 'partial'
  | 'partial_twice'
  | 'full'
  | 'requested'
  | 'disputed'
  | 'dispute_won'
  | 'dispute_lost'
  | 'partial_and_dispute_won';

export interface PaymentPlan {
  number: number;
  bankOutcome: BankOutcome;
  reversal: Reversal;
  /** The reversal happens during the learner's confirm calls. */
  reversedEarly: boolean;
  /** Confirm calls before the payment is made, and after it; the latter are made all at once. */
  confirmsBefore: number;
  confirmsAfter: number;
  /** The learner's browser disconnects during the first confirm call. */
  dropsConnection: boolean;
  /**
   * The learner's browser ends: on the way to the bank, which is paid nevertheless, or on the way back, while it asks
   * where the payment stands. No confirm call follows.
   */
  dies: 'never' | 'out' | 'back';
  /** No webhook of the payment reaches the gateway. */
  withoutWebhooks: boolean;
}

/** A person who registers and pays, or one with an account who pays for more days repeatedly. */
export interface LearnerPlan {
  kind: 'registration' | 'extension';
  /** A few registrations share their address with another one. */
  email: string;
  payments: PaymentPlan[];
}

const PAID: Partial<Record<BankOutcome, number>> = {
  paid: 50,
  wallet: 10,
  redirected: 20,
  authenticated: 7,
  declined_then_paid: 7,
  processed: 6,
};
const UNPAID: Partial<Record<BankOutcome, number>> = {
  declined: 3,
  abandoned: 3,
  processing: 2,
  not_authenticated: 2,
  redirect_refused: 2,
  redirect_closed: 2,
  cancelled: 2,
};
const REVERSALS: Record<Reversal, number> = {
  none: 64,
  partial: 8,
  partial_twice: 4,
  full: 6,
  requested: 6,
  disputed: 3,
  dispute_won: 4,
  dispute_lost: 3,
  partial_and_dispute_won: 2,
};
const PAYMENTS_PER_LEARNER = 2;

export function isPaid(bankOutcome: BankOutcome): boolean {
  return bankOutcome in PAID;
}

/** Plans `payments` payments, half of them registrations, half extensions; the same for the same seed. */
export function planLearners(seed: number, payments: number): LearnerPlan[] {
  const learners: LearnerPlan[] = [];
  const registrations = Math.ceil(payments / 2);
  for (let number = 1; number <= payments; number += 1) {
    const random = randomFor(seed, `learner ${number}`);
    const last = learners.at(-1);
    if (number <= registrations) {
      const shared = last && random.chance(0.05) ? learners[random.below(learners.length)] : null;
      learners.push({
        kind: 'registration',
        email: shared?.email ?? uniqueEmail(),
        payments: [planPayment(seed, number, true)],
      });
    } else if (last?.kind === 'extension' && last.payments.length < PAYMENTS_PER_LEARNER) {
      last.payments.push(planPayment(seed, number, true));
    } else {
      // Another payment must start only after this one is closed: an open one would be returned again.
      const plan = planPayment(seed, number, number === payments);
      learners.push({ kind: 'extension', email: uniqueEmail(), payments: [plan] });
    }
  }
  return learners;
}

/** Plans purchases of packets, with numbers from `first` on; by card only. */
export function planPackets(seed: number, packets: number, first: number): PaymentPlan[] {
  return Array.from({ length: packets }, (_, index) => {
    const plan = planPayment(seed, first + index, true);
    const isCard = !plan.bankOutcome.startsWith('redirect');
    return isCard ? plan : { ...plan, bankOutcome: 'paid', dies: 'never' };
  });
}

function planPayment(seed: number, number: number, mayBeUnpaid: boolean): PaymentPlan {
  const random = randomFor(seed, `payment ${number}`);
  const outcomes = (mayBeUnpaid ? { ...PAID, ...UNPAID } : PAID) as Record<BankOutcome, number>;
  const bankOutcome = random.weighted(outcomes);
  const confirms = random.below(4);
  const before = random.chance(0.3) ? random.below(confirms + 1) : 0;
  const dies = bankOutcome === 'redirected' && random.chance(0.5) ? diesWhere(random) : 'never';
  return {
    number,
    bankOutcome,
    reversal: isPaid(bankOutcome) ? random.weighted(REVERSALS) : 'none',
    reversedEarly: random.chance(0.5),
    confirmsBefore: before,
    confirmsAfter: dies === 'never' ? confirms - before : 0,
    dropsConnection: random.chance(0.2),
    dies,
    withoutWebhooks: number % 10 === 0,
  };
}

const diesWhere = (random: Random) => (random.chance(0.5) ? 'out' : 'back');
