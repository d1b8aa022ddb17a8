import { setTimeout as sleep } from 'node:timers/promises';
import { newLearner } from '#support/journey.ts';
import type { TestProduct } from '#support/stack.ts';

export interface Answering {
  /** `<quiz> <question>` of each answer that the service has acknowledged. */
  acknowledged: Set<string>;
  /** Requests without an answer, or with a 5xx; each was retried. */
  retried: string[];
  /** The duration of the slowest request, in milliseconds. */
  longestMs: () => number;
  /** Stops after the answers under way are acknowledged. */
  stop: () => Promise<void>;
}

interface Quiz {
  id: string;
  questions: { uuid: string; options: string[] }[];
}

const PAUSE_MS = 100;
const RETRY_DELAY_MS = 250;

/**
 * Learners who answer one question after the other, and retry each until the service has acknowledged it,
 * as the browser does.
 */
export async function keepAnswering(stack: TestProduct, learners: number): Promise<Answering> {
  const acknowledged = new Set<string>();
  const retried: string[] = [];
  let longest = 0;
  const stopping = new AbortController();

  async function call<T>(token: string, path: string, body: object): Promise<T> {
    for (;;) {
      const began = performance.now();
      let problem: string;
      try {
        const response = await fetch(`${stack.url}/api/v1/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        if (response.ok) return JSON.parse(text) as T;
        if (response.status < 500) throw new Refused(`${path}: ${response.status} ${text}`);
        problem = `${response.status} ${text}`;
      } catch (error) {
        if (error instanceof Refused) throw error;
        problem = String((error as Error).cause ?? error);
      } finally {
        longest = Math.max(longest, performance.now() - began);
      }
      retried.push(`${path.replaceAll(/[0-9a-f-]{36}/g, '…')}: ${problem}`);
      await sleep(RETRY_DELAY_MS);
    }
  }

  async function learn(token: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const quiz = await call<Quiz>(token, 'quiz/start', { topic: 'all', question_count: 20 });
      for (const { uuid, options } of quiz.questions) {
        if (stopping.signal.aborted) return;
        await call(token, `quiz/${quiz.id}/answer`, { question_id: uuid, answer: options[0] });
        acknowledged.add(`${quiz.id} ${uuid}`);
        await sleep(PAUSE_MS);
      }
      await call(token, `quiz/${quiz.id}/end`, {});
    }
  }

  const tokens = await Promise.all(
    Array.from({ length: learners }, async () => {
      const { email, password } = await newLearner(stack);
      return (await stack.identity.signInWithPassword(email, password)).idToken;
    }),
  );
  const learning = Promise.all(tokens.map(learn));
  // An error is reported by `stop`.
  learning.catch(() => {});
  return {
    acknowledged,
    retried,
    longestMs: () => Math.round(longest),
    stop: async () => {
      stopping.abort();
      await learning;
    },
  };
}

/** The service refused the request, so a retry would not help. */
class Refused extends Error {
  override readonly name = 'Refused';
}
