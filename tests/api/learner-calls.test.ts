import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { payWithCard } from '#support/pay.ts';

// The calls of the specification's section 7 as a client written from it alone would make them: only
// fields that it names are sent, and none that it names may be missing. The routes' own tests cover the
// rest.
const gateway = useTestGateway();
const PASSWORD = 'et godt passord';
let token: string;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 60 });
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  token = user.idToken;
});

const post = (path: string, body?: unknown, as: string | null = token) =>
  gateway.call('POST', path, { ...(as && { token: as }), ...(body !== undefined && { body }) });
const get = (path: string, as: string | null = token) =>
  gateway.call('GET', path, as ? { token: as } : {});

const ok = <T>(answer: { status: number; body: T }): T => {
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const drill = async () => ok(await post('/quiz/start', { topic: 'Historie' }));
const answerAll = async (quiz: {
  id: string;
  questions: { uuid: string; options: string[] }[];
}) => {
  for (const { uuid, options } of quiz.questions) {
    ok(await post(`/quiz/${quiz.id}/answer`, { question_id: uuid, answer: options[0] }));
  }
};

describe('section 7, the calls of a visitor', () => {
  test('POST /api/v1/payment/create-registration-intent: client_secret, amount', async () => {
    const body = { email: uniqueEmail(), username: 'Demo' };
    const answer = ok(await post('/payment/create-registration-intent', body, null));
    expect(answer).toMatchObject({ client_secret: expect.any(String), amount: 14900 });
  });

  test('POST /api/v1/payment/confirm-registration: the account', async () => {
    const person = { email: uniqueEmail(), username: 'Demo' };
    const { payment_intent_id } = ok(
      await post('/payment/create-registration-intent', person, null),
    );
    await payWithCard(gateway, payment_intent_id);
    const body = { payment_intent_id, ...person, password: PASSWORD };
    const answer = ok(await post('/payment/confirm-registration', body, null));
    expect(answer).toMatchObject({ account: { is_active: true }, days_remaining: 30 });
  });

  test('GET /api/v1/topics: topics', async () => {
    expect(ok(await get('/topics', null))).toMatchObject({ topics: ['Historie'] });
  });
});

describe('section 7, the calls of a learner', () => {
  test('POST /api/v1/payment/create-intent and /confirm', async () => {
    const intent = ok(await post('/payment/create-intent'));
    expect(intent).toMatchObject({ client_secret: expect.any(String), amount: 14900 });
    await payWithCard(gateway, intent.payment_intent_id);
    const { payment_intent_id } = intent;
    expect(ok(await post('/payment/confirm', { payment_intent_id }))).toMatchObject({
      account: { is_active: true },
      days_remaining: 60,
    });
  });

  test('GET /api/v1/account: account, days_remaining', async () => {
    expect(ok(await get('/account'))).toMatchObject({
      account: {
        registered_at: expect.any(String),
        service_expires_at: expect.any(String),
        is_active: true,
      },
      days_remaining: expect.any(Number),
    });
  });

  test('POST /api/v1/quiz/start: a session, for a topic and for the official test', async () => {
    for (const topic of ['Historie', 'Praktisk prøve']) {
      const session = ok(await post('/quiz/start', { topic }));
      expect(session).toMatchObject({ id: expect.any(String), topic, answers: {} });
      expect(session.questions[0]).toMatchObject({
        id: expect.any(Number),
        uuid: expect.any(String),
        question: expect.any(String),
        topic: 'Historie',
        language: 'no',
      });
    }
  });

  test('POST /api/v1/quiz/{id}/answer: score', async () => {
    const { id, questions } = await drill();
    const [{ uuid, options }] = questions;
    const answer = options.find((option: string) => option.startsWith('right'));
    expect(ok(await post(`/quiz/${id}/answer`, { question_id: uuid, answer }))).toMatchObject({
      score: 1,
    });
  });

  test('POST /api/v1/quiz/{id}/end: score', async () => {
    const { id } = await drill();
    expect(ok(await post(`/quiz/${id}/end`))).toMatchObject({ score: 0 });
  });

  test('POST /api/v1/quiz/{id}/cancel', async () => {
    const { id } = await drill();
    expect(ok(await post(`/quiz/${id}/cancel`))).toEqual({ ok: true });
  });

  test('GET /api/v1/quiz/{id}: session with answers and questions', async () => {
    const quiz = await drill();
    await answerAll(quiz);
    ok(await post(`/quiz/${quiz.id}/end`));
    const session = ok(await get(`/quiz/${quiz.id}`));
    for (const { uuid } of session.questions) {
      expect(session.answers[uuid]).toMatchObject({
        answer: expect.any(String),
        correct: expect.any(Boolean),
      });
    }
  });

  test('GET /api/v1/quiz/history: history list', async () => {
    ok(await post(`/quiz/${(await drill()).id}/end`));
    const { history } = ok(await get('/quiz/history'));
    expect(history[0]).toMatchObject({
      id: expect.any(String),
      topic: 'Historie',
      completed_at: expect.any(String),
      correct_answers: 0,
      total_questions: 10,
      time_spent: expect.any(Number),
    });
  });

  test('GET /api/v1/questions: {questions}', async () => {
    ok(await post(`/quiz/${(await drill()).id}/end`));
    const { questions } = ok(await get('/questions'));
    expect(questions[0]).toMatchObject({
      id: expect.any(Number),
      uuid: expect.any(String),
      question: expect.any(String),
      answer: expect.any(String),
      incorrect: expect.any(Array),
      topic: 'Historie',
      language: 'no',
    });
  });

  test('POST /api/v1/questions/{uuid}/feedback', async () => {
    const { questions } = await drill();
    const path = `/questions/${questions[0].uuid}/feedback`;
    expect(ok(await post(path, { type: 'thumbs_down' }))).toEqual({ ok: true });
  });
});

describe('section 8, the errors of a learner', () => {
  const expectError = (answer: { status: number; body: unknown }, status: number, code: string) =>
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(/\S/), code } });
  const nowhere = crypto.randomUUID();

  test('"Service is currently free"', async () => {
    await setPrice(gateway.deps.db, 0);
    const answer = await post('/payment/create-intent');
    await setPrice(gateway.deps.db, 149_00);
    expect(answer).toMatchObject({ status: 400, body: { error: 'Service is currently free' } });
  });

  test('"Could not create payment intent": a bad address', async () => {
    const body = { email: 'not-an-address', username: 'Demo' };
    const answer = await post('/payment/create-registration-intent', body, null);
    expectError(answer, 400, 'validation_failed');
  });

  test('"Could not confirm payment": not paid yet, unknown, of another account', async () => {
    const { payment_intent_id } = ok(await post('/payment/create-intent'));
    const confirm = (id: string, as = token) =>
      post('/payment/confirm', { payment_intent_id: id }, as);
    expectError(await confirm(payment_intent_id), 409, 'payment_not_completed');
    expectError(await confirm('pi_unknown'), 404, 'payment_not_found');
    const { idToken } = await gateway.identity.createPasswordUser();
    expectError(await confirm(payment_intent_id, idToken), 404, 'payment_not_found');
  });

  test('"An error occurred during payment": a declined card leaves nothing behind', async () => {
    const { payment_intent_id } = ok(await post('/payment/create-intent'));
    const declined = payWithCard(gateway, payment_intent_id, 'pm_card_chargeDeclined');
    await expect(declined).rejects.toMatchObject({ message: 'Your card was declined.' });
    expectError(await post('/payment/confirm', { payment_intent_id }), 409, 'payment_declined');
  });

  test('"user not authenticated": start a quiz while signed out', async () => {
    expectError(await post('/quiz/start', { topic: 'Historie' }, null), 401, 'unauthenticated');
    expectError(await post('/quiz/start', { topic: 'Historie' }, 'x.y.z'), 401, 'token_invalid');
  });

  test('"Failed to start quiz": no service, no such topic', async () => {
    const { idToken } = await gateway.identity.createPasswordUser();
    const body = { topic: 'Historie' };
    expectError(await post('/quiz/start', body, idToken), 402, 'service_expired');
    expectError(await post('/quiz/start', { topic: 'Astronomi' }), 400, 'topic_unknown');
  });

  test('"Failed to submit answer": ended, not in the quiz, not an option, not theirs', async () => {
    const { id, questions } = await drill();
    const other = await drill();
    const [{ uuid, options }] = questions;
    const submit = (quiz: string, question_id: string, answer: string) =>
      post(`/quiz/${quiz}/answer`, { question_id, answer });
    expectError(await submit(id, nowhere, 'x'), 400, 'question_not_in_quiz');
    expectError(await submit(id, uuid, 'x'), 400, 'answer_not_an_option');
    expectError(await submit(nowhere, uuid, options[0]), 404, 'quiz_not_found');
    ok(await post(`/quiz/${other.id}/end`));
    const late = other.questions[0];
    expectError(await submit(other.id, late.uuid, late.options[0]), 409, 'quiz_closed');
  });

  test('"Failed to end quiz", "Failed to cancel quiz", "Failed to fetch session"', async () => {
    expectError(await post(`/quiz/${nowhere}/end`), 404, 'quiz_not_found');
    expectError(await post(`/quiz/${nowhere}/cancel`), 404, 'quiz_not_found');
    expectError(await get(`/quiz/${nowhere}`), 404, 'quiz_not_found');
  });

  test('"Failed to fetch questions"', async () => {
    expectError(await get(`/questions?quiz_id=${nowhere}`), 404, 'quiz_not_found');
  });

  test('"Failed to report question"', async () => {
    const report = post(`/questions/${nowhere}/feedback`, { type: 'thumbs_down' });
    expectError(await report, 404, 'question_not_found');
  });

  test('"Could not load account information"', async () => {
    expectError(await get('/account', null), 401, 'unauthenticated');
  });
});
