import { setTimeout as sleep } from 'node:timers/promises';
import { connectLive } from '#support/live.ts';

export interface LoadOptions {
  /** The address of the service. */
  url: string;
  /** Tokens of learners who each answer drills without end, and listen for live updates. */
  tokens: readonly string[];
  /** The pause between two answers of one learner. */
  pauseMs: number;
}

export interface Load {
  /** The acknowledged answers, each as its quiz and question. */
  acknowledged: Set<string>;
  /** Requests that failed, one line each. */
  failures: string[];
  streams: { opened: number; ended: number; longestGapMs: number };
  /** Ends the load once the requests under way are answered. */
  finish: () => Promise<void>;
}

/** Lets learners answer and listen, until `finish`. Nothing is retried. */
export function startLoad({ url, tokens, pauseMs }: LoadOptions): Load {
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  const streams = { opened: 0, ended: 0, longestGapMs: 0 };
  const finishing = new AbortController();
  const { signal } = finishing;

  async function post(token: string, path: string, body: object) {
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as {
        id: string;
        questions: { uuid: string; options: string[] }[];
      };
      if (response.ok) return answer;
      failures.push(`POST ${path}: ${response.status} ${JSON.stringify(answer)}`);
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      failures.push(`POST ${path}: ${cause?.code ?? String(error)}`);
    }
    return null;
  }

  async function answer(token: string): Promise<void> {
    while (!signal.aborted) {
      const quiz = await post(token, '/quiz/start', { topic: 'Historie', question_count: 50 });
      for (const { uuid, options } of quiz?.questions ?? []) {
        if (signal.aborted) return;
        const given = { question_id: uuid, answer: options[0] };
        if (await post(token, `/quiz/${quiz!.id}/answer`, given)) {
          acknowledged.add(`${quiz!.id} ${uuid}`);
        }
        await sleep(pauseMs);
      }
    }
  }

  async function listen(token: string): Promise<void> {
    let endedAt: number | undefined;
    while (!signal.aborted) {
      const stream = await connectLive(url, token).catch((error: unknown) => String(error));
      if (typeof stream === 'string' || stream.status !== 200) {
        failures.push(`stream: ${typeof stream === 'string' ? stream : stream.status}`);
        await sleep(1_000);
        continue;
      }
      const gap = endedAt === undefined ? 0 : Date.now() - endedAt;
      streams.opened += 1;
      streams.longestGapMs = Math.max(streams.longestGapMs, gap);
      signal.addEventListener('abort', stream.close);
      await stream.ended;
      signal.removeEventListener('abort', stream.close);
      endedAt = Date.now();
      if (signal.aborted) return;
      streams.ended += 1;
      await sleep(stream.retryMs() ?? 1_000, undefined, { signal }).catch(() => {});
    }
  }

  const running = Promise.all(tokens.flatMap((token) => [answer(token), listen(token)]));
  return {
    acknowledged,
    failures,
    streams,
    async finish() {
      finishing.abort();
      await running;
    },
  };
}
