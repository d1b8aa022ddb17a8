import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { WEBHOOK_SECRET } from '#support/gateway.ts';
import type { TestIdentity } from '#support/identity.ts';

const LEARNERS = 6;
const RETRY_DELAY_MS = 100;
const SERVICE_DAYS = 30;

export interface LoadOptions {
  /** The address of the API. */
  url: string;
  db: Database;
  identity: TestIdentity;
  stripe: StripeApi;
  /** The pause of a learner between two answers, and between two payments; 10 by default. */
  pauseMs?: number;
}

export interface Load {
  /** Answers that the gateway has acknowledged. */
  answers: number;
  /** Payments whose webhook the gateway has acknowledged. */
  payments: string[];
  /** Responses that are neither a success nor a 5xx. There must be none. */
  refusals: string[];
  /** When the last of the calls began that were acknowledged, without the attempts before; as of `Date.now()`. */
  lastBegun: number;
  /** The longest time from a learner's answer to its acknowledgement, with all attempts. */
  longestWaitMs: number;
  /** Starts answering questions and paying. */
  begin: () => void;
  /** Stops, and resolves once everything that was started is acknowledged. */
  end: () => Promise<void>;
}

/**
 * Learners who answer question after question, and people who pay and close their browser before the
 * confirm call, so that only the webhook reports the payment. Every failed call is retried until it is
 * acknowledged.
 */
export async function prepareLoad(options: LoadOptions): Promise<Load> {
  const { url, db, identity, stripe, pauseMs = 10 } = options;
  await setPrice(db, 149_00, SERVICE_DAYS);
  await createQuestions(db, { topic: 'Historie', count: 60 });
  const tokens: string[] = [];
  for (let n = 0; n < LEARNERS; n += 1) {
    const user = await identity.createPasswordUser();
    await addDays(db, user, SERVICE_DAYS);
    tokens.push(user.idToken);
  }
  let ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const load: Load = {
    answers: 0,
    payments: [],
    refusals: [],
    lastBegun: 0,
    longestWaitMs: 0,
    begin() {
      ending = new AbortController();
      running = Promise.all([...tokens.map(answer), pay()]);
    },
    async end() {
      ending.abort();
      await running;
    },
  };

  async function post(path: string, headers: Record<string, string>, body: string) {
    for (;;) {
      const begun = Date.now();
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null);
      const text = await response?.text().catch(() => null);
      if (response && text && response.status < 500) {
        load.lastBegun = Math.max(load.lastBegun, begun);
        if (response.status >= 400) load.refusals.push(`${path}: ${response.status} ${text}`);
        return JSON.parse(text);
      }
      await sleep(RETRY_DELAY_MS);
    }
  }
  const call = (path: string, token: string, body: object) =>
    post(path, { authorization: `Bearer ${token}` }, JSON.stringify(body));

  async function answer(token: string): Promise<void> {
    while (!ending.signal.aborted) {
      const wish = { topic: 'Historie', question_count: 50 };
      const quiz = await call('/quiz/start', token, wish);
      for (const { uuid, options } of quiz.questions) {
        if (ending.signal.aborted) return;
        const given = { question_id: uuid, answer: options[0] };
        const clicked = Date.now();
        await call(`/quiz/${quiz.id}/answer`, token, given);
        load.answers += 1;
        load.longestWaitMs = Math.max(load.longestWaitMs, Date.now() - clicked);
        await sleep(pauseMs);
      }
    }
  }

  async function pay(): Promise<void> {
    while (!ending.signal.aborted) {
      const { idToken } = await identity.createPasswordUser();
      const { payment_intent_id: id } = await call('/payment/create-intent', idToken, {});
      await stripe.paymentIntents.confirm(id, {
        payment_method: 'pm_card_visa',
        return_url: 'https://example.no',
      });
      await tellOf(id);
      load.payments.push(id);
      await sleep(pauseMs);
    }
  }

  async function tellOf(id: string): Promise<void> {
    const payload = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id, object: 'payment_intent' } },
    });
    const at = Math.floor(Date.now() / 1000);
    const hmac = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${payload}`).digest('hex');
    await post('/stripe/webhook', { 'stripe-signature': `t=${at},v1=${hmac}` }, payload);
  }

  return load;
}

/** Differences between the load and the database: each value must be 0. */
export async function findDifferences(db: Database, load: Load): Promise<Record<string, number>> {
  const { rows } = await db.query<Record<string, number>>(
    `select $1::int - (select count(*) from quiz_answer) as "answers not stored",
       (select count(*) from quiz_answer)
         - (select coalesce(sum(times_correct + times_incorrect), 0) from question_statistics)::int
         as "answers not counted",
       (select count(*) from quiz_question)
         - (select coalesce(sum(times_selected), 0) from question_statistics)::int
         as "selections not counted",
       (select count(*) from unnest($2::text[]) as intent
        where (select count(*) from credit join payment on payment.id = credit.payment_id
               where payment_intent_id = intent) <> 1) as "payments not credited once",
       (select count(*) from credit where payment_id is not null) - cardinality($2::text[])
         as "credits too many"`,
    [load.answers, load.payments],
  );
  return rows[0]!;
}
