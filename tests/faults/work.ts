import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createQuestions, addDays, setPrice } from '#support/factories.ts';
import type { TestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { fileRow } from '#support/imports.ts';
import { connectLive } from '#support/live.ts';
import { stripeControl } from '#support/pay.ts';
import { randomFor } from '#support/random.ts';
import type { Client, ClientAnswer, ClientCall } from '../payments/client.ts';
import { startCourier } from '../payments/courier.ts';
import { carryOut } from '../payments/learner.ts';
import { planLearners, type LearnerPlan, type PaymentPlan } from '../payments/plan.ts';
import type { System } from './system.ts';

// Work of a fixed size, planned by the seed: how much of it there is, and how it ends, does not depend on
// faults. Each part has its time; one that a fault has held up makes good for it.
const LEARNERS = 5;
const ANSWER_INTERVAL_MS = 400;
const QUIZ_LENGTH = 10;
const PAYMENTS_A_MINUTE = 12;
/** Learners who pay and watch their days; each pays so often a minute. */
const WATCHERS = 3;
const WATCHED_PAYMENTS_A_MINUTE = 3;
const FILES_A_MINUTE = 4;
const ROWS_A_FILE = 100;
/** Of each file: repeated rows, and rows that are rejected. */
const REPEATED = 10;
const REJECTED = 10;
const RETRY_DELAY_MS = 150;
const POLL_INTERVAL_MS = 300;
const CALL_TIMEOUT_MS = 20_000;

export interface Work {
  /** The acknowledged answers, each as its quiz and question. */
  acknowledged: ReadonlySet<string>;
  /** What there must be at the end. */
  planned: { answers: number; readonly right: number; rows: number };
  /** Calls, also those that were retried. */
  calls: { made: number; retried: number };
  /** Answers that are neither a success nor ask for a retry. There must be none. */
  refusals: string[];
  webhooks: { delivered: () => number; acknowledged: ReadonlySet<string> };
  watchers: readonly Watcher[];
  /** Milliseconds until a call that began after now is acknowledged; null when the work ended before. */
  nextAnswer: () => Promise<number | null>;
  /** Resolves when all of it is acknowledged, with the webhooks. */
  finished: Promise<void>;
  /** Ends the streams. */
  close: () => void;
}

export interface Watcher {
  uid: string;
  /** The end of access that the learner's page shows. */
  shown: () => string | null;
  streams: () => number;
}

/** Begins it; it takes so many minutes, or longer while calls have to be retried. */
export async function startWork(
  gateway: TestGateway,
  { db, processes }: System,
  { seed, minutes }: { seed: number; minutes: number },
): Promise<Work> {
  const { identity } = gateway;
  const { stripe } = gateway.deps;
  await setPrice(db, 149_00, 30);
  await createQuestions(db, { topic: 'Historie', count: 60 });
  const quizzes = Math.round((minutes * 60_000) / (ANSWER_INTERVAL_MS * QUIZ_LENGTH));
  const payments = Math.round(PAYMENTS_A_MINUTE * minutes);
  const watched = Math.round(WATCHED_PAYMENTS_A_MINUTE * minutes);
  const files = Math.round(FILES_A_MINUTE * minutes);

  const acknowledged = new Set<string>();
  const calls = { made: 0, retried: 0 };
  const refusals: string[] = [];
  /** When the last call began that is acknowledged; and whether all work is. */
  const progress = { lastBegun: 0, isOver: false };
  let right = 0;

  /** Retries until the gateway answers with anything but a fault of its own. */
  async function call(
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
    method = 'POST',
  ): Promise<ClientAnswer> {
    for (;;) {
      calls.made += 1;
      const response = await fetch(`${processes.url}${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      }).catch(() => null);
      const text = await response?.text().catch(() => null);
      const isAnswered = response && (response.status < 500 || text?.includes('import_failed'));
      if (isAnswered && text) {
        return { status: response.status, body: JSON.parse(text) };
      }
      calls.retried += 1;
      await sleep(RETRY_DELAY_MS);
    }
  }

  /** As `call`, for calls that must succeed. */
  async function succeed(path: string, token: string, body: object | null): Promise<ClientAnswer> {
    const headers = { authorization: `Bearer ${token}` };
    const method = body ? 'POST' : 'GET';
    const answer = await call(path, headers, body ? JSON.stringify(body) : undefined, method);
    if (answer.status >= 400)
      refusals.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  const began = Date.now();
  const due = (ms: number) => sleep(Math.max(0, began + ms - Date.now()));

  async function practise(index: number, token: string): Promise<void> {
    const random = randomFor(seed, `answers of learner ${index}`);
    for (let quiz = 0; quiz < quizzes; quiz += 1) {
      const at = quiz * QUIZ_LENGTH * ANSWER_INTERVAL_MS;
      await due(at);
      const wish = { topic: 'Historie', question_count: QUIZ_LENGTH };
      const { body } = await succeed('/quiz/start', token, wish);
      const questions = body.questions as { uuid: string; options: string[] }[];
      for (const [n, { uuid, options }] of questions.entries()) {
        await due(at + n * ANSWER_INTERVAL_MS);
        const knows = random.chance(0.6);
        if (knows) right += 1;
        // The key begins with "right".
        const answer = options.find((option) => option.startsWith('right') === knows);
        const begun = Date.now();
        await succeed(`/quiz/${body.id}/answer`, token, { question_id: uuid, answer });
        acknowledged.add(`${body.id} ${uuid}`);
        progress.lastBegun = Math.max(progress.lastBegun, begun);
      }
      await succeed(`/quiz/${body.id}/end`, token, {});
    }
  }

  const patient: Client = {
    faults: [],
    async call({ path, body, token, key, address, dropAfterMs }: ClientCall) {
      const headers = {
        'x-forwarded-for': address,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      };
      const answer = call(path, headers, body ? JSON.stringify(body) : undefined);
      if (dropAfterMs === undefined) return answer;
      return Promise.race([answer, sleep(dropAfterMs, null)]);
    },
  };
  const numbers = new Map<string, number>();
  const world = {
    db,
    stripe,
    control: stripeControl(gateway),
    identity,
    client: patient,
    seed,
    onBegun: (intentId: string, plan: PaymentPlan) => {
      if (!plan.withoutWebhooks) numbers.set(intentId, plan.number);
    },
    onPaid: () => {},
    onDone: () => {},
  };
  async function payAll(): Promise<void> {
    const learners = planLearners(seed, payments).map(withoutRequests);
    const interval = (minutes * 60_000) / learners.length;
    await Promise.all(
      learners.map(async (learner, index) => {
        await due(index * interval);
        await carryOut(world, learner);
      }),
    );
  }

  const watchers: Watcher[] = [];
  const ending = new AbortController();
  async function watch(index: number): Promise<void> {
    const { idToken: token, uid } = await identity.createPasswordUser(uniqueEmail());
    let shown: string | null = null;
    let streams = 0;
    watchers.push({ uid, shown: () => shown, streams: () => streams });
    const read = async () => {
      const { body } = await succeed('/account', token, null);
      shown = body.account?.service_expires_at ?? null;
    };
    /** As a page does: it reads when the stream says so, and nothing else makes it read. */
    async function listen(): Promise<void> {
      while (!ending.signal.aborted) {
        const stream = await connectLive(new URL(processes.url).origin, token).catch(() => null);
        if (stream?.status === 200) {
          streams += 1;
          ending.signal.addEventListener('abort', stream.close);
          for (;;) {
            const event = await stream.next().catch(() => null);
            if (!event) break;
            await read();
          }
          ending.signal.removeEventListener('abort', stream.close);
        }
        stream?.close();
        await sleep(RETRY_DELAY_MS);
      }
    }
    void listen();
    for (let n = 0; n < watched; n += 1) {
      await due(((n + index / WATCHERS) * minutes * 60_000) / watched);
      const { body } = await succeed('/payment/create-intent', token, {});
      numbers.set(body.payment_intent_id, (index + 1) * 100_000 + n);
      await stripe.paymentIntents.confirm(body.payment_intent_id, {
        payment_method: 'pm_card_visa',
        return_url: 'https://example.no',
      });
      // The days are there before the next payment: an open one would be returned again.
      const { payment_intent_id } = body;
      await succeed('/payment/confirm', token, { payment_intent_id });
    }
  }

  async function edit(): Promise<void> {
    const { idToken: token } = await identity.signInWithGoogle({
      email: gateway.deps.config.ADMIN_EMAIL,
    });
    await succeed('/account', token, null);
    for (let file = 0; file < files; file += 1) {
      await due((file * minutes * 60_000) / files);
      await upload(token, fileOf(file));
    }
  }

  /**
   * Sends a file until an import of it is completed. One whose upload was cut off is refused, and the file is sent
   * again; a file that arrived twice has only rows that are there.
   */
  async function upload(token: string, rows: object[]): Promise<void> {
    for (;;) {
      const id = randomUUID();
      const authorization = `Bearer ${token}`;
      const headers = { authorization, 'idempotency-key': id, prefer: 'respond-async' };
      const sent = await call('/import/questions', headers, JSON.stringify(rows));
      if (sent.status >= 400 && sent.body.code !== 'import_refused') {
        refusals.push(`an import: ${JSON.stringify(sent)}`);
        return;
      }
      const state = await endOf(token, id);
      if (state === 'completed') return;
      if (state !== 'refused') {
        refusals.push(`an import is ${state}`);
        return;
      }
    }
  }

  /** Waits until an import is over. A 202 says that it goes on, not that all of it has arrived. */
  async function endOf(token: string, id: string): Promise<string> {
    for (;;) {
      const { body } = await succeed(`/admin/imports/${id}`, token, null);
      if (body.state !== 'receiving' && body.state !== 'processing') return String(body.state);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  const tokens = await Promise.all(
    Array.from({ length: LEARNERS }, async () => {
      const user = await identity.createPasswordUser();
      await addDays(db, user, 30);
      return user.idToken;
    }),
  );
  const courier = startCourier({
    stripe,
    webhookUrl: `${processes.url}/stripe/webhook`,
    seed,
    numberOf: (intentId) => numbers.get(intentId) ?? null,
  });
  const finished = Promise.all([
    ...tokens.map((token, index) => practise(index, token)),
    payAll(),
    ...Array.from({ length: WATCHERS }, (_, index) => watch(index)),
    edit(),
  ]).then(async () => {
    await courier.finish();
    progress.isOver = true;
  });
  // Its error is thrown where it is awaited.
  finished.catch(() => (progress.isOver = true));
  return {
    acknowledged,
    planned: {
      answers: LEARNERS * quizzes * QUIZ_LENGTH,
      get right() {
        return right;
      },
      rows: files * (ROWS_A_FILE - REPEATED - REJECTED),
    },
    calls,
    refusals,
    webhooks: courier,
    watchers,
    async nextAnswer() {
      const from = Date.now();
      while (progress.lastBegun < from) {
        if (progress.isOver) return null;
        await sleep(20);
      }
      return Date.now() - from;
    },
    finished,
    close: () => ending.abort(),
  };
}

/** Without refunds that an administrator requests, which the plan does in our database: it may be down. */
function withoutRequests(learner: LearnerPlan): LearnerPlan {
  const payments = learner.payments.map((plan) => ({
    ...plan,
    reversal: plan.reversal === 'requested' ? ('partial' as const) : plan.reversal,
  }));
  return { ...learner, payments };
}

function fileOf(file: number): object[] {
  const good = ROWS_A_FILE - REPEATED - REJECTED;
  return Array.from({ length: ROWS_A_FILE }, (_, n) => {
    const question = `Fil ${file}, spørsmål ${n < good ? n : n - good}?`;
    return fileRow(
      question,
      n >= good + REPEATED ? { topic: 'Import', answer: '' } : { topic: 'Import' },
    );
  });
}
