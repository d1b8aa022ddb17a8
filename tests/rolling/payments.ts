import { setTimeout as sleep } from 'node:timers/promises';
import { post, type Client } from '../payments/client.ts';
import { carryOut, type World } from '../payments/learner.ts';
import { planLearners } from '../payments/plan.ts';

/** A client without retries: a request without an answer counts as failed. */
export function createStrictClient(url: string, faults: string[]): Client {
  return {
    faults,
    async call(wish) {
      const answer = await post(url, wish);
      if (answer.status >= 400) faults.push(`${wish.path}: ${JSON.stringify(answer)}`);
      return answer;
    },
  };
}

export interface Paying {
  paid: number;
  finish: () => Promise<void>;
}

/** Lets one learner after another register or extend, and pay, until `finish`. */
export function startPaying(world: World, pauseMs: number): Paying {
  const finishing = new AbortController();
  const paying: Paying = {
    paid: 0,
    async finish() {
      finishing.abort();
      await running;
    },
  };
  const learners = planLearners(world.seed, 10_000).flatMap(({ payments: [plan], ...learner }) => ({
    ...learner,
    payments: [
      {
        ...plan!,
        bankOutcome: 'paid' as const,
        reversal: 'none' as const,
        confirmsBefore: 0,
        confirmsAfter: 1,
        dropsConnection: false,
      },
    ],
  }));
  // Registrations and extensions alternate.
  const halves = [
    learners.filter(({ kind }) => kind === 'registration'),
    learners.filter(({ kind }) => kind === 'extension'),
  ];
  const emails = new Set<string>();
  async function payOn(): Promise<void> {
    for (let n = 0; !finishing.signal.aborted; n += 1) {
      const learner = halves[n % 2]![n >> 1]!;
      if (emails.has(learner.email)) continue;
      emails.add(learner.email);
      try {
        await carryOut(world, learner);
        paying.paid += 1;
      } catch (error) {
        world.client.faults.push(`a payment: ${String(error)}`);
      }
      await sleep(pauseMs);
    }
  }
  const running = payOn();
  return paying;
}
