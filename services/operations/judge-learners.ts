import { duration } from './duration.ts';
import type { Facts } from './facts.ts';
import { fault, ok, unchecked, warning, type Finding } from './finding.ts';
import { isLive } from './judge-service.ts';
import { IDENTITY_SILENT_S, STRIPE_READ_FAULT_S } from './thresholds.ts';

/** Whether learners can practise. */
export function judgePractise({ quizzes }: Pick<Facts, 'quizzes'>): Finding {
  if (!quizzes) return unchecked('quizzes cannot be read');
  if (!quizzes.hasQuestions) {
    return fault('there is no question to draw', 'Import questions, and validate them.');
  }
  if (quizzes.lastSeconds === null) return ok('nobody has begun a quiz yet');
  return ok(`the last quiz was begun ${duration(quizzes.lastSeconds)} ago`);
}

/**
 * Whether learners can pay: our workers ask Stripe every minute, with the key that payments are made
 * with. Nothing is said of Stripe when it is the workers that do not ask.
 */
export function judgePay(facts: Facts): Finding {
  const { reconciled, priceOre, processes, flows } = facts;
  if (priceOre === 0) return ok('the service is free of charge');
  if (!reconciled) return unchecked('payments cannot be read');
  const { missedSeconds: seconds } = reconciled;
  if (seconds !== null && seconds <= STRIPE_READ_FAULT_S) {
    return ok(`Stripe answered ${duration(seconds)} ago`);
  }
  const hasWorkers = processes?.some((it) => it.kind === 'workers' && isLive(it)) ?? false;
  if (!hasWorkers) return unchecked('no workers run, which ask Stripe every minute');
  if (flows?.payments?.state !== 'flowing') return unchecked('the queue payments does not flow');
  if (seconds === null) {
    return warning('Stripe has not been asked yet', 'Look again in a minute.');
  }
  return fault(
    `Stripe has not answered for ${duration(seconds)}`,
    'Run the doctor: it says what Stripe answers. See also https://status.stripe.com.',
    seconds,
  );
}

/** Whether learners can sign in: the identity provider is asked every minute. */
export function judgeSignIn({ identity }: Facts): Finding {
  const { answeredSeconds: seconds, problem } = identity;
  if (problem === null && seconds === null) return ok('the identity provider is being asked');
  if (seconds !== null && seconds <= IDENTITY_SILENT_S) {
    return ok(`the identity provider answered ${duration(seconds)} ago`);
  }
  return fault(
    `the identity provider does not answer: ${problem ?? 'it is silent'}`,
    'Run the doctor, and let this machine reach https://identitytoolkit.googleapis.com.',
    seconds ?? undefined,
  );
}

/** What stands in the way of everything that learners do; undefined when nothing does. */
export function judgeFoundation({ databaseMs, processes }: Facts): Finding | undefined {
  if (databaseMs === undefined) {
    return fault('PostgreSQL does not answer', 'Start PostgreSQL, or see in its log what ails it.');
  }
  if (processes && !processes.some((it) => it.kind === 'gateway' && isLive(it))) {
    return fault('no gateway runs', 'Start the gateway, or see in its log why it ends.');
  }
  return undefined;
}
