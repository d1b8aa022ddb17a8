import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import type { TestProduct } from './stack.ts';

interface StartedQuiz {
  id: string;
  questions: { uuid: string; options: string[] }[];
}

/** A learner who calls the API without a browser, to set up what the pages show. */
export class ApiLearner {
  readonly #stack: TestProduct;
  readonly #idToken: string;

  private constructor(stack: TestProduct, idToken: string) {
    this.#stack = stack;
    this.#idToken = idToken;
  }

  static async signIn(
    stack: TestProduct,
    { email, password }: { email: string; password: string },
  ): Promise<ApiLearner> {
    const { idToken } = await stack.identity.signInWithPassword(email, password);
    return new ApiLearner(stack, idToken);
  }

  /** POST below /api/v1. */
  async call<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(`${this.#stack.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  /** The topics of the bank. */
  async topics(language: string): Promise<string[]> {
    const response = await fetch(`${this.#stack.url}/api/v1/topics?language=${language}`, {
      headers: { authorization: `Bearer ${this.#idToken}` },
    });
    return ((await response.json()) as { topics: string[] }).topics;
  }

  start(body: object): Promise<StartedQuiz> {
    return this.call<StartedQuiz>('quiz/start', body);
  }

  /** Answers `right` of a quiz's questions correctly, and the others wrongly or not at all. */
  async answer(
    { id, questions }: StartedQuiz,
    right = questions.length,
    others: 'wrong' | 'none' = 'none',
  ): Promise<void> {
    const { rows } = await this.#stack.database.pool.query<{
      uuid: string;
      answer: string;
      incorrect: string[];
    }>('select uuid, answer, incorrect from question where uuid = any($1)', [
      questions.map(({ uuid }) => uuid),
    ]);
    for (const [index, { uuid, answer, incorrect }] of rows.entries()) {
      if (index >= right && others === 'none') return;
      const given = index < right ? answer : incorrect[0];
      await this.call(`quiz/${id}/answer`, { question_id: uuid, answer: given });
    }
  }

  /** @returns the id of an ended quiz with `right` correct answers, and the others wrong or missing */
  async play(body: object, right?: number, others?: 'wrong'): Promise<string> {
    const quiz = await this.start(body);
    await this.answer(quiz, right, others);
    await this.call(`quiz/${quiz.id}/end`, {});
    return quiz.id;
  }

  /** Pays for more days with a card that goes through. */
  async pay(): Promise<void> {
    const { payment_intent_id } = await this.call<{ payment_intent_id: string }>(
      'payment/create-intent',
      { consent_version: 'no-2026-11' },
    );
    const stripe = createStripeClient({
      secretKey: 'sk_test_local',
      apiUrl: this.#stack.stripeUrl,
    });
    await stripe.paymentIntents.confirm(payment_intent_id, {
      payment_method: 'pm_card_visa',
      return_url: 'https://example.no',
    });
    await this.call('payment/confirm', { payment_intent_id });
  }
}
