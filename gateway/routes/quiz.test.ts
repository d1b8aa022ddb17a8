import { beforeAll, describe, expect, test, vi } from 'vitest';
import { offerLanguage } from '@proveklar/services/languages/languages.ts';
import { addDays, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 12 });
  ({ idToken: token } = await subscriber());
});

async function subscriber() {
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  return user;
}

const start = (body: object = { topic: 'Historie' }) =>
  gateway.call('POST', '/quiz/start', { token, body });

describe('a quiz through the API', () => {
  test('a quiz is cancelled, also with an empty JSON body', async () => {
    const { body: quiz } = await start();
    const cancelled = await gateway.app.inject({
      method: 'POST',
      url: `/api/v1/quiz/${quiz.id}/cancel`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: '',
    });
    expect([cancelled.statusCode, cancelled.json()]).toEqual([200, { ok: true }]);
    const again = await gateway.call('POST', `/quiz/${quiz.id}/end`, { token });
    expect(again).toMatchObject({ status: 409, body: { code: 'quiz_closed' } });
  });

  test.each([
    [{}, 'topic'],
    [{ topic: 7 }, 'topic'],
    [{ topic: 'Historie', question_count: 4 }, 'question_count'],
    [{ topic: 'Historie', question_count: '10' }, 'question_count'],
    [{ topic: 'Historie', correct: true }, 'correct'],
    [{ topic: 'Astronomi' }, 'topic'],
  ])('a quiz is not started with %j', async (body, field) => {
    const answer = await start(body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.field).toBe(field);
    expect(answer.body.error).not.toBe('');
  });

  test("a quiz counts in its learner's progress only, and its mistakes can be practised again", async () => {
    const { idToken: own } = await subscriber();
    const asOwn = (topic: string) =>
      gateway.call('POST', '/quiz/start', { token: own, body: { topic } });
    expect(await asOwn('mistakes')).toMatchObject({ status: 400, body: { code: 'no_mistakes' } });
    const { body: quiz } = await asOwn('Historie');
    const [question] = quiz.questions;
    const wrong = question.options.find((option: string) => option.startsWith('wrong'));
    await gateway.call('POST', `/quiz/${quiz.id}/answer`, {
      token: own,
      body: { question_id: question.uuid, answer: wrong },
    });
    const progress = await gateway.call('GET', '/quiz/progress', { token: own });
    expect(progress).toMatchObject({ status: 200, body: { mistakes: 1, weakest: null } });
    const mistakes = await asOwn('mistakes');
    expect(mistakes.body.questions.map(({ uuid }: { uuid: string }) => uuid)).toEqual([
      question.uuid,
    ]);
    const { idToken: other } = await subscriber();
    const others = await gateway.call('GET', '/quiz/progress', { token: other });
    expect(others.body).toEqual({ topics: [], mistakes: 0, weakest: null });
  });

  test('a quiz of another learner responds like one that does not exist', async () => {
    const { body: quiz } = await start();
    const { idToken: other } = await subscriber();
    const nowhere = crypto.randomUUID();
    const answers = [quiz.id, nowhere].map(async (id) => [
      await gateway.call('GET', `/quiz/${id}`, { token: other }),
      await gateway.call('POST', `/quiz/${id}/end`, { token: other }),
      await gateway.call('POST', `/quiz/${id}/cancel`, { token: other }),
      await gateway.call(
        'GET',
        `/quiz/${id}/questions/${quiz.questions[0].uuid}/translation?language=en`,
        { token: other },
      ),
      await gateway.call('POST', `/quiz/${id}/answer`, {
        token: other,
        body: { question_id: quiz.questions[0].uuid, answer: quiz.questions[0].options[0] },
      }),
    ]);
    const [foreign, missing] = await Promise.all(answers);
    expect(foreign).toEqual(missing);
    expect(foreign!.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe('who may practise', () => {
  test('a user who never paid has an account and may not start a quiz', async () => {
    const { idToken } = await gateway.identity.createPasswordUser();
    const body = { topic: 'Historie' };
    const refused = await gateway.call('POST', '/quiz/start', { token: idToken, body });
    expect(refused).toMatchObject({ status: 402, body: { code: 'service_expired' } });
    const account = await gateway.call('GET', '/account', { token: idToken });
    expect(account.body).toMatchObject({
      account: { is_active: false, service_expires_at: null },
      days_remaining: 0,
      is_admin: false,
    });
  });

  test('any signed-in user may start a quiz while the service is free', async () => {
    const { idToken } = await gateway.identity.createPasswordUser();
    await setPrice(gateway.deps.db, 0);
    try {
      const body = { topic: 'Historie' };
      const started = await gateway.call('POST', '/quiz/start', { token: idToken, body });
      expect(started.status).toBe(200);
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
  });

  test('an open quiz can be finished after the service expires, and no other is started', async () => {
    const { uid, idToken } = await subscriber();
    const call = (path: string, body: object) =>
      gateway.call('POST', `/quiz/${path}`, { token: idToken, body });
    const { body: quiz } = await call('start', { topic: 'Historie' });
    const expired = `update account set service_expires_at = now() - interval '1 second' where uid = $1`;
    await gateway.deps.db.query(expired, [uid]);
    const [{ uuid, options }] = quiz.questions;
    const given = await call(`${quiz.id}/answer`, { question_id: uuid, answer: options[0] });
    const ended = await call(`${quiz.id}/end`, {});
    expect([given.status, ended.status]).toEqual([200, 200]);
    const result = await gateway.call('GET', `/quiz/${quiz.id}`, { token: idToken });
    expect(result).toMatchObject({ status: 200, body: { state: 'ended' } });
    const another = await call('start', { topic: 'Historie' });
    expect(another).toMatchObject({ status: 402, body: { code: 'service_expired' } });
  });

  test('a disabled user is refused everything', async () => {
    const user = await subscriber();
    await gateway.deps.db.query(`update account set state = 'deleted' where uid = $1`, [user.uid]);
    const account = await gateway.call('GET', '/account', { token: user.idToken });
    expect(account).toMatchObject({ status: 401, body: { code: 'account_disabled' } });
  });

  test('an admin is verified by Google; a password for the same address is not enough', async () => {
    const email = gateway.deps.config.ADMIN_EMAIL;
    const squatter = await gateway.identity.createPasswordUser(email);
    const first = await gateway.call('GET', '/account', { token: squatter.idToken });
    expect(first.body.is_admin).toBe(false);
    const google = await gateway.identity.signInWithGoogle({ email });
    const second = await gateway.call('GET', '/account', { token: google.idToken });
    expect(second.body.is_admin).toBe(true);
  });
});

test('a language is configured and used once it is offered', async () => {
  const { db } = gateway.deps;
  await createQuestions(db, { topic: 'Історія', language: 'uk', count: 5 });
  const readLanguages = async () => {
    const { body: config } = await gateway.call('GET', '/config');
    const { body } = await gateway.call('GET', '/topics?language=uk');
    const { status } = await start({ topic: 'Історія', language: 'uk', question_count: 5 });
    const codes = config.languages.map(({ code }: { code: string }) => code);
    return { codes, topics: body.topics, status };
  };
  const before = { codes: ['no', 'en'], topics: [], status: 400 };
  expect(await readLanguages()).toEqual(before);
  await offerLanguage(db, 'test', { code: 'uk', offered: true });
  expect(await readLanguages()).toEqual({
    codes: ['no', 'en', 'uk'],
    topics: ['Історія'],
    status: 200,
  });
  await offerLanguage(db, 'test', { code: 'uk', offered: false });
  expect(await readLanguages()).toEqual(before);
});

test('topics are public', async () => {
  expect(await gateway.call('GET', '/topics')).toEqual({
    status: 200,
    body: { topics: ['Historie'], coverage: null },
  });
  const english = await gateway.call('GET', '/topics?language=en');
  expect(english.body).toEqual({ topics: [], coverage: null });
  for (const [language, status] of [
    ['sv', 200],
    ['svensk', 400],
  ] as const) {
    expect(await gateway.call('GET', `/topics?language=${language}`)).toMatchObject({ status });
  }
});

test('the sample has ten questions, the same each time, without keys, and answers to no others', async () => {
  const { status, body } = await gateway.call('GET', '/sample');
  expect([status, body.questions.length]).toEqual([200, 10]);
  expect(await gateway.call('GET', '/sample?language=en')).toEqual({ status, body });
  // Also for English, whose sample is the Norwegian one.
  expect(body.bank_questions).toBe(12);
  const { rows } = await gateway.deps.db.query('select uuid, answer, incorrect from question');
  const fields = [
    'id',
    'uuid',
    'question',
    'options',
    'topic',
    'language',
    'image',
    'areas',
    'translated',
    'translations',
  ];
  for (const question of body.questions) {
    expect(Object.keys(question)).toEqual(fields);
    const { answer, incorrect } = rows.find(({ uuid }) => uuid === question.uuid);
    expect(new Set(question.options)).toEqual(new Set([answer, ...incorrect]));
  }

  const check = ({ uuid }: { uuid: string }, answer: string) =>
    gateway.call('POST', '/sample/answer', { body: { question_id: uuid, answer } });
  const [first] = body.questions;
  const right = first.options.find((option: string) => option.startsWith('right'));
  const wrong = first.options.find((option: string) => option.startsWith('wrong'));
  const result = { score: null, correct_answer: right };
  expect(await check(first, right)).toMatchObject({
    status: 200,
    body: { ...result, correct: true },
  });
  expect(await check(first, wrong)).toMatchObject({
    status: 200,
    body: { ...result, correct: false },
  });
  const sampled = new Set(body.questions.map(({ uuid }: { uuid: string }) => uuid));
  const other = rows.find(({ uuid }) => !sampled.has(uuid));
  const refused = await check(other, other.answer);
  expect(refused).toMatchObject({ status: 400, body: { code: 'question_not_in_quiz' } });
  expect(JSON.stringify(refused.body)).not.toContain(other.answer);
});

test('exam facts are public, and a test can be marked and taken without time limit', async () => {
  const { body } = await gateway.call('GET', '/exams');
  const facts = { questions_shown: 38, questions_counted: 34, pass_mark: 26, minutes: 60 };
  expect(body.exams[0]).toMatchObject({ name: 'samfunnskunnskap', ...facts });
  expect(Object.keys(body.exams[0])).not.toContain('updated_by');

  await createQuestions(gateway.deps.db, { topic: 'Geografi', count: 30 });
  const { body: quiz } = await start({ topic: 'Praktisk prøve', timed: false });
  expect(quiz.exam).toMatchObject({ minutes: null, seconds_left: null, deadline_at: null });
  const path = `/quiz/${quiz.id}/questions/${quiz.questions[4].uuid}/mark`;
  const marked = await gateway.call('PUT', path, { token, body: { marked: true } });
  expect(marked).toEqual({ status: 200, body: { ok: true } });
  const { idToken: other } = await subscriber();
  const foreign = await gateway.call('PUT', path, { token: other, body: { marked: false } });
  expect(foreign).toMatchObject({ status: 404, body: { code: 'quiz_not_found' } });
  const read = await gateway.call('GET', `/quiz/${quiz.id}`, { token });
  const marks = read.body.questions.map((question: { marked: boolean }) => question.marked);
  expect(marks.indexOf(true)).toBe(4);
  expect(marks.filter(Boolean)).toHaveLength(1);
  const wrong = await gateway.call('PUT', path, { token, body: { marked: 'yes' } });
  expect(wrong).toMatchObject({ status: 400, body: { details: { field: 'marked' } } });
});

describe('the history of 2,000 quizzes', () => {
  const MANY = 2_000;
  let learner: string;
  const read = (query = '', as = learner) =>
    gateway.call('GET', `/quiz/history${query}`, { token: as });
  const ids = ({ body }: { body: { history: { id: string }[] } }) =>
    body.history.map(({ id }) => id);

  beforeAll(async () => {
    const { uid, idToken } = await subscriber();
    learner = idToken;
    // Three at a time end in the same instant, like overdue tests that are handed in together.
    await gateway.deps.db.query(
      `insert into quiz (account_id, kind, topic, language, instant_feedback, state, started_at,
         ended_at, score, total)
       select account.id, 'drill', 'Historie', 'no', true, 'ended', at - interval '5 minutes', at, 7, 10
       from account, generate_series(1, $2) n,
         lateral (select timestamptz '2026-01-01 12:00:00.123456Z' + n / 3 * interval '1 microsecond')
           moment (at)
       where uid = $1`,
      [uid, MANY],
    );
  });

  test('the history of 2,000 quizzes is complete without paging, with 500 in memory at a time', async () => {
    const query = vi.spyOn(gateway.deps.db, 'query');
    const answer = await read();
    const parts = await Promise.all(query.mock.results.map(({ value }) => value));
    expect(Math.max(...parts.map(({ rowCount }) => rowCount))).toBeLessThanOrEqual(501);
    expect(new Set(ids(answer)).size).toBe(MANY);
    const { rows } = await gateway.deps.db.query<{ id: string }>(
      `select id from quiz where account_id = (select account_id from quiz where id = $1)
       order by ended_at desc, id desc`,
      [ids(answer)[0]],
    );
    expect(ids(answer)).toEqual(rows.map(({ id }) => id));
    expect(answer.body.next_before).toBeNull();
  });

  test('the history of 2,000 quizzes is the same by pages', async () => {
    const whole = ids(await read());
    const first = await read('?limit=100');
    expect(ids(first)).toEqual(whole.slice(0, 100));
    const second = await read(`?limit=100&before=${first.body.next_before}`);
    expect(ids(second)).toEqual(whole.slice(100, 200));
    const last = await read(`?limit=100&before=${whole.at(-101)!}`);
    expect(ids(last)).toEqual(whole.slice(-100));
    expect(last.body.next_before).toBeNull();
    expect(ids(await read(`?before=${whole[1]!}`))).toEqual(whole.slice(2));
  });

  test("the history cannot start at another learner's quiz", async () => {
    const [first] = ids(await read());
    const stranger = await read(`?before=${first!}`, (await subscriber()).idToken);
    expect(stranger).toMatchObject({ status: 404, body: { code: 'quiz_not_found' } });
    expect(await read('?limit=101')).toMatchObject({
      status: 400,
      body: { details: { field: 'limit' } },
    });
  });
});
