import { beforeAll, expect, test } from 'vitest';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { payWithCard } from '#support/pay.ts';

// Every route of learners that names something by its id, also routes added later, is called for what another
// learner has, and for what no one has. The two answers are the same to the byte, so they say nothing about others.
const gateway = useTestGateway();
let owner: string;
let stranger: string;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 60 });
  const tokens: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const user = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, user, 30);
    tokens.push(user.idToken);
  }
  [owner, stranger] = tokens as [string, string];
});

interface Owned {
  id: string;
  /** A question of a quiz. */
  uuid?: string;
  body?: object;
  query?: string;
}

async function quiz(topic: string): Promise<Owned & { options: string[] }> {
  const { body } = await gateway.call('POST', '/quiz/start', { token: owner, body: { topic } });
  const [{ uuid, options }] = body.questions;
  return { id: body.id, uuid, options };
}

async function payment(): Promise<string> {
  const { body } = await gateway.call('POST', '/payment/create-intent', { token: owner, body: {} });
  const { payment_intent_id } = body;
  await payWithCard(gateway, payment_intent_id);
  await gateway.call('POST', '/payment/confirm', { token: owner, body: { payment_intent_id } });
  const { body: list } = await gateway.call('GET', '/account/payments', { token: owner });
  return list.payments[0].id as string;
}

/** Questions belong to no learner. */
const SHARED = ['POST /questions/:question/feedback'];

/** What the owner has, and calls the route for. */
const OWNED: Record<string, () => Promise<Owned>> = {
  'GET /quiz/:id': () => quiz('Historie'),
  'POST /quiz/:id/answer': async () => {
    const { id, uuid, options } = await quiz('Historie');
    return { id, body: { question_id: uuid, answer: options[0] } };
  },
  'PUT /quiz/:id/questions/:uuid/mark': async () => ({
    ...(await quiz('Praktisk prøve')),
    body: { marked: true },
  }),
  'GET /quiz/:id/questions/:uuid/translation': async () => {
    const drill = await quiz('Historie');
    const body = { question_id: drill.uuid, answer: drill.options[0] };
    await gateway.call('POST', `/quiz/${drill.id}/answer`, { token: owner, body });
    return { ...drill, query: '?language=en' };
  },
  'POST /quiz/:id/end': async () => ({ ...(await quiz('Historie')), body: {} }),
  'POST /quiz/:id/cancel': async () => ({ ...(await quiz('Historie')), body: {} }),
  'GET /account/payments/:id': async () => ({ id: await payment() }),
  'POST /account/payments/:id/withdraw': async () => ({
    id: await payment(),
    body: { refund_amount: 149_00 },
  }),
};

test('the routes of learners with an id are those that this test knows', () => {
  const routes = gateway.app.routes.flatMap(({ method, url, config }) =>
    ['learner', 'subscriber'].includes(config!.access!) && url.includes(':')
      ? [method].flat().map((one) => `${one} ${url.replace('/api/v1', '')}`)
      : [],
  );
  const known = routes.filter((route) => !route.startsWith('HEAD '));
  expect(known.toSorted()).toEqual([...Object.keys(OWNED), ...SHARED].toSorted());
});

test.each(Object.keys(OWNED))('%s answers about another learner as about no one', async (route) => {
  const [method, path] = route.split(' ') as ['GET', string];
  const own = await OWNED[route]!();
  const call = async (token: string, id: string) => {
    const url = path.replace(':id', id).replace(':uuid', own.uuid!) + (own.query ?? '');
    const response = await gateway.app.inject({
      method,
      url: `/api/v1${url}`,
      headers: { authorization: `Bearer ${token}` },
      ...(own.body && { payload: own.body }),
    });
    return { status: response.statusCode, bytes: response.body };
  };
  const others = await call(stranger, own.id);
  expect(others.status).toBe(404);
  expect(others).toEqual(await call(stranger, crypto.randomUUID()));
  // The owner's call is answered, and not as the stranger's.
  expect(await call(owner, own.id)).not.toEqual(others);
});
