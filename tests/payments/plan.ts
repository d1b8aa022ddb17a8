import { uniqueEmail } from '#support/identity.ts';
import { randomFor } from '#support/random.ts';

/** How a learner's payment goes at the bank. */
export type Fate =
  | 'paid'
  | 'declined_then_paid'
  | 'authenticated'
  | 'processed'
  | 'declined'
  | 'abandoned'
  | 'processing'
  | 'not_authenticated'
  | 'cancelled';

/** What becomes of the money afterwards. */
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
  fate: Fate;
  reversal: Reversal;
  /** The reversal comes while the learner is still confirming. */
  reversedEarly: boolean;
  /** Confirm calls before the payment is made, and after it: the latter all at once. */
  confirmsBefore: number;
  confirmsAfter: number;
  /** The learner's browser goes away in the middle of the first confirm call. */
  dropsConnection: boolean;
  /** The gateway never hears of it by webhook. */
  deaf: boolean;
}

/** A person who registers by paying, or one who has an account and pays for more, again and again. */
export interface LearnerPlan {
  kind: 'registration' | 'extension';
  /** A few share it with another who registers. */
  email: string;
  payments: PaymentPlan[];
}

const PAID: Partial<Record<Fate, number>> = {
  paid: 80,
  authenticated: 7,
  declined_then_paid: 7,
  processed: 6,
};
const UNPAID: Partial<Record<Fate, number>> = {
  declined: 3,
  abandoned: 3,
  processing: 2,
  not_authenticated: 2,
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
const PAYMENTS_OF_A_LEARNER = 2;

export function isPaid(fate: Fate): boolean {
  return fate in PAID;
}

/** So many payments: half of them registrations, half extensions. The same for the same seed. */
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
    } else if (last?.kind === 'extension' && last.payments.length < PAYMENTS_OF_A_LEARNER) {
      last.payments.push(planPayment(seed, number, true));
    } else {
      // Another is begun only when this is done with: an open one would be handed out again.
      const plan = planPayment(seed, number, number === payments);
      learners.push({ kind: 'extension', email: uniqueEmail(), payments: [plan] });
    }
  }
  return learners;
}

function planPayment(seed: number, number: number, mayBeUnpaid: boolean): PaymentPlan {
  const random = randomFor(seed, `payment ${number}`);
  const fates = (mayBeUnpaid ? { ...PAID, ...UNPAID } : PAID) as Record<Fate, number>;
  const fate = random.weighted(fates);
  const confirms = random.below(4);
  const before = random.chance(0.3) ? random.below(confirms + 1) : 0;
  return {
    number,
    fate,
    reversal: isPaid(fate) ? random.weighted(REVERSALS) : 'none',
    reversedEarly: random.chance(0.5),
    confirmsBefore: before,
    confirmsAfter: confirms - before,
    dropsConnection: random.chance(0.2),
    deaf: number % 10 === 0,
  };
}
