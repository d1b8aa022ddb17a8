import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_TOPIC_LENGTH } from '@proveklar/contract/limits.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';
import { addDays, createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;
let learner: string;
let topic: string;
let ids: number[];

beforeAll(async () => {
  const email = gateway.deps.config.ADMIN_EMAIL;
  token = (await gateway.identity.signInWithGoogle({ email })).idToken;
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  learner = user.idToken;
});
beforeEach(async () => {
  topic = `Tema ${crypto.randomUUID()}`;
  await createQuestions(gateway.deps.db, { topic, count: 5 });
  ids = (await bank()).questions.map(({ id }: { id: number }) => id);
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const call = (method: Method, path: string, body?: unknown) =>
  gateway.call(method, path, { token, ...(body !== undefined && { body }) });
const bank = async (query = `topic=${topic}`) => (await call('GET', `/questions?${query}`)).body;
const read = async (id: number) => (await call('GET', `/questions/${id}`)).body;
const use = () =>
  gateway.call('POST', '/quiz/start', { token: learner, body: { topic, question_count: 5 } });
const lastAction = async () => {
  const { rows } = await gateway.deps.db.query(
    'select actor, action, subject from audit_entry order by id desc limit 1',
  );
  return rows[0];
};

function editOf(question: Record<string, unknown>, changes: object = {}) {
  const { version, answer, incorrect, explanation, source_url, checked_at, tags } = question;
  const content = { answer, incorrect, explanation, source_url, checked_at, tags };
  return { version, question: question.question, topic: question.topic, ...content, ...changes };
}

test('the question bank is for administrators: learners get admin_only, and still see their quizzes', async () => {
  const asLearner = (query: string) =>
    gateway.call('GET', `/questions${query}`, { token: learner });
  expect(await asLearner('?page=1')).toMatchObject({ status: 403, body: { code: 'admin_only' } });
  expect(await asLearner('')).toMatchObject({ status: 404, body: { code: 'quiz_not_found' } });
  const { total, page, questions } = await bank();
  expect([total, page, questions.length]).toEqual([5, 1, 5]);
  expect(questions[0]).toMatchObject({ topic, validated: true, version: 1 });
  expect((await call('GET', '/questions/filters')).body.topics).toContain(topic);
});

test.each(['page=0', 'min_correct=101', 'max_selected=-1', 'state=x', 'unknown=1'])(
  'refuses the filter %s',
  async (query) => {
    expect(await call('GET', `/questions?${query}`)).toMatchObject({ status: 400 });
  },
);

test('the longest topic is accepted everywhere, and one more character is refused everywhere', async () => {
  const longest = `${topic} `.padEnd(MAX_TOPIC_LENGTH, 'Lang æ');
  const longer = `${longest}x`;
  await createQuestions(gateway.deps.db, { topic: longest, count: 5 });
  expect((await gateway.call('GET', '/topics')).body.topics).toContain(longest);

  const start = (of: string) =>
    gateway.call('POST', '/quiz/start', { token: learner, body: { topic: of, question_count: 5 } });
  const { body: quiz } = await start(longest);
  expect(quiz.topic).toBe(longest);
  expect(quiz.questions.every((question: { topic: string }) => question.topic === longest)).toBe(
    true,
  );
  const [{ uuid, options }] = quiz.questions;
  const answer = { question_id: uuid, answer: options[0] };
  const asLearner = { token: learner };
  await gateway.call('POST', `/quiz/${quiz.id}/answer`, { ...asLearner, body: answer });
  await gateway.call('POST', `/quiz/${quiz.id}/end`, asLearner);
  const { history } = (await gateway.call('GET', '/quiz/history', asLearner)).body;
  expect(history[0]).toMatchObject({ id: quiz.id, topic: longest });

  const filter = (of: string) => `topic=${encodeURIComponent(of)}`;
  const { questions, total } = await bank(filter(longest));
  expect([total, questions[0].topic]).toEqual([5, longest]);
  expect((await call('GET', '/questions/filters')).body.topics).toContain(longest);
  const { id } = questions[0];
  const edit = (of: string) => call('PUT', `/questions/${id}/topic`, { topic: of });
  const retopic = (of: string) =>
    call('POST', '/admin/question-changes', { action: 'retopic', topic: of, selection: { ids } });
  expect((await edit(longest)).body.topic).toBe(longest);
  expect((await retopic(longest)).body).toMatchObject({ topic: longest, changed: 5 });

  const refused = { status: 400, body: { details: { field: 'topic' } } };
  expect(await start(longer)).toMatchObject(refused);
  expect(await call('GET', `/questions?${filter(longer)}`)).toMatchObject(refused);
  expect(await edit(longer)).toMatchObject(refused);
  expect(await retopic(longer)).toMatchObject({ status: 400 });
  // Fewer characters than the limit, and more bytes than an index entry holds.
  const ethiopic = String.fromCodePoint(0x1200).repeat(900);
  expect(await edit(ethiopic)).toMatchObject(refused);
  expect(await retopic(ethiopic)).toMatchObject(refused);
});

describe('an edit', () => {
  test('an edit creates one version, and the history names its author', async () => {
    const was = await read(ids[0]!);
    const body = editOf(was, { question: `  Ny ${topic}? `, incorrect: ['x', 'y'] });
    const both = await Promise.all([1, 2].map(() => call('PUT', `/questions/${was.uuid}`, body)));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({
      code: 'question_changed',
      details: { version: 2, question: { version: 2, question: `Ny ${topic}?` } },
    });
    expect(await lastAction()).toMatchObject({
      action: 'question.edited',
      subject: String(was.id),
    });
    const { versions } = (await call('GET', `/questions/${was.id}/versions`)).body;
    expect(versions).toMatchObject([
      { version: 2, question: `Ny ${topic}?`, created_by: gateway.deps.config.ADMIN_EMAIL },
      { version: 1, question: was.question, created_by: 'test', import_id: was.import_id },
    ]);
    expect((await bank(`search=ny ${topic}`)).total).toBe(1);
    expect(await read(was.id)).toMatchObject({ validated: true, updated_at: expect.any(String) });
  });

  test('an edit of tags creates no version, and an edit without changes is none', async () => {
    const was = await read(ids[0]!);
    const tagged = await call('PUT', `/questions/${was.id}`, editOf(was, { tags: ['a'] }));
    expect(tagged.body).toMatchObject({ version: 1, tags: ['a'] });
    const before = await lastAction();
    await call('PUT', `/questions/${was.id}`, editOf(tagged.body));
    expect(await lastAction()).toEqual(before);
  });

  test('an edit stores a blank explanation as null', async () => {
    const was = await read(ids[0]!);
    const explained = editOf(was, { explanation: 'So.' });
    const { version } = (await call('PUT', `/questions/${was.id}`, explained)).body;
    const blank = { ...explained, version, explanation: ' ' };
    expect((await call('PUT', `/questions/${was.id}`, blank)).body.explanation).toBeNull();
  });

  test.each([
    [{ incorrect: ['same', 'same'] }, 'incorrect.1'],
    [{ topic: 'all' }, 'topic'],
    [{ question: '   ' }, 'question'],
    [{ source_url: 'javascript:x' }, 'source_url'],
  ])('an edit keeps the rules of an import: %j', async (changes, field) => {
    const was = await read(ids[0]!);
    const answer = await call('PUT', `/questions/${was.id}`, editOf(was, changes));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: { field } },
    });
  });

  test('an edit into a duplicate names the other question', async () => {
    const [was, other] = [await read(ids[0]!), await read(ids[1]!)];
    const body = editOf(was, { question: ` ${other.question.toUpperCase()}` });
    expect(await call('PUT', `/questions/${was.id}`, body)).toMatchObject({
      status: 409,
      body: { code: 'question_duplicate', details: { question_id: other.id, uuid: other.uuid } },
    });
  });
});

test('a question of no quiz is deleted; a question of a quiz is retired and restored', async () => {
  expect((await call('DELETE', `/questions/${ids[0]!}`)).body).toEqual({
    ok: true,
    retired: false,
  });
  expect((await call('GET', `/questions/${ids[0]!}`)).status).toBe(404);
  await use();
  expect((await call('DELETE', `/questions/${ids[1]!}`)).body).toEqual({ ok: true, retired: true });
  expect((await bank()).total).toBe(3);
  expect((await bank(`topic=${topic}&state=retired`)).questions).toMatchObject([{ id: ids[1] }]);
  expect((await call('POST', `/questions/${ids[1]!}/restore`)).body.retired_at).toBeNull();
  expect((await bank()).total).toBe(4);
});

test('validation and topic are changed and changed back', async () => {
  const path = `/questions/${ids[0]!}`;
  const pending = await call('POST', `${path}/validate`, { validated: false });
  expect(pending.body).toMatchObject({ validated: false });
  expect((await bank(`topic=${topic}&validation=pending`)).total).toBe(1);
  expect((await call('POST', `${path}/validate`, { validated: true })).body.validated).toBe(true);
  const moved = await call('PUT', `${path}/topic`, { topic: ` ${topic}   ny ` });
  expect(moved.body).toMatchObject({ topic: `${topic} ny`, version: 2 });
  for (const reserved of ['all', 'Praktisk  prøve', ' ']) {
    const answer = await call('PUT', `${path}/topic`, { topic: reserved });
    expect(answer).toMatchObject({ status: 400, body: { details: { field: 'topic' } } });
  }
});

describe('a bulk change', () => {
  const change = (body: object) => call('POST', '/admin/question-changes', body);
  const after = (id: string, step: string) => call('POST', `/admin/question-changes/${id}/${step}`);

  test.each([
    ['unvalidate', 'validation=pending'],
    ['retire', 'state=retired'],
  ])('a bulk change of %s changes the selected questions, and is undone', async (action, query) => {
    await call('POST', `/questions/${ids[0]!}/validate`, { validated: false });
    const { status, body } = await change({ action, selection: { ids: ids.slice(0, 3) } });
    expect(status).toBe(200);
    const changed = action === 'unvalidate' ? 2 : 3;
    expect(body).toMatchObject({ state: 'completed', total: 3, done: 3, changed });
    expect((await bank(`topic=${topic}&${query}`)).total).toBe(3);
    expect((await after(body.id, 'undo')).body).toMatchObject({ state: 'undone', changed: 0 });
    expect((await bank(`topic=${topic}&${query}`)).total).toBe(action === 'unvalidate' ? 1 : 0);
    expect(await after(body.id, 'undo')).toMatchObject({ status: 409 });
  });

  test('a bulk change renames a topic by a filter, as new versions; undo skips later edits', async () => {
    const to = `${topic} B`;
    const { body } = await change({
      action: 'retopic',
      topic: to,
      selection: { filter: { topic } },
    });
    expect(body).toMatchObject({ changed: 5 });
    await call('PUT', `/questions/${ids[0]!}/topic`, { topic: `${topic} C` });
    await after(body.id, 'undo');
    expect((await bank()).total).toBe(4);
    expect(await read(ids[0]!)).toMatchObject({ topic: `${topic} C`, version: 3 });
    expect(await read(ids[1]!)).toMatchObject({ topic, version: 3 });
  });

  test('a bulk change refuses a date that PostgreSQL does not have', async () => {
    const answer = await change({
      action: 'set_checked',
      values: { checked_at: '0000-01-01' },
      selection: { ids: ids.slice(0, 1) },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  test('a bulk change of more than a thousand questions runs in the background, in batches', async () => {
    const { db } = gateway.deps;
    const many = `${topic} many`;
    await createQuestions(db, { topic: many, count: 1_500 });
    const [{ import_id }] = (await bank(`topic=${many}`)).questions;
    // Other ids lie between them: it takes several batches.
    await db.query(`select setval(pg_get_serial_sequence('question', 'id'),
      (select max(id) + 9000 from question))`);
    const rest = await change({ action: 'retire', selection: { filter: { topic: many } } });
    expect(rest).toMatchObject({ status: 202, body: { state: 'running', total: 1_500, done: 0 } });
    const { id } = rest.body;
    while (await runChange(db, id));
    const ended = await call('GET', `/admin/question-changes/${id}`);
    expect(ended.body).toMatchObject({ state: 'completed', done: 1_500, changed: 1_500 });
    expect((await bank(`topic=${many}`)).total).toBe(0);

    expect(await after(id, 'undo')).toMatchObject({ status: 202, body: { state: 'undoing' } });
    while (await runChange(db, id));
    expect((await bank(`topic=${many}`)).total).toBe(1_500);

    const stopped = await change({ action: 'unvalidate', selection: { import_id } });
    expect(stopped.status).toBe(202);
    expect((await after(stopped.body.id, 'cancel')).body).toMatchObject({ state: 'cancelled' });
    expect(await runChange(db, stopped.body.id)).toBe(false);
    expect((await bank(`topic=${many}&validation=pending`)).total).toBe(0);
    expect((await call('GET', '/admin/question-changes')).body.changes[0].id).toBe(stopped.body.id);
  });

  test.each([
    [{ action: 'retopic', selection: { ids: [1] } }, 'topic'],
    [{ action: 'retopic', topic: 'all', selection: { ids: [1] } }, 'topic'],
    [{ action: 'retire', topic: 'x', selection: { ids: [1] } }, 'topic'],
    [{ action: 'retire', selection: { ids: [] } }, 'selection'],
  ])('a bulk change refuses %j', async (body, field) => {
    const { status, body: error } = await change(body);
    expect(status).toBe(400);
    expect(error.details.field).toMatch(new RegExp(`^${field}`));
  });
});

describe('editing the optional fields', () => {
  const OPTIONAL = {
    incorrect_reasons: ['Because a.', null, 'Because c.'],
    source_title: 'A source',
    excludes: ['other-group'],
    valid_from: '2024-02-29',
    ages: 2027,
  };
  const edit = async (changes: object) =>
    call('PUT', `/questions/${ids[0]!}`, editOf(await read(ids[0]!), changes));

  test('stores them; only what a quiz shows makes a new version', async () => {
    const { excludes, valid_from, ages, ...shown } = OPTIONAL;
    expect(await edit({ excludes, valid_from, ages })).toMatchObject({
      status: 200,
      body: { excludes, valid_from, ages, version: 1 },
    });
    expect(await edit(shown)).toMatchObject({ status: 200, body: { ...OPTIONAL, version: 2 } });
    const { body } = await call('GET', `/questions/${ids[0]!}/versions`);
    expect(body.versions).toMatchObject([
      OPTIONAL,
      { ...OPTIONAL, incorrect_reasons: null, source_title: null },
    ]);
  });

  test('keeps them when an edit leaves them out, each reason with its wrong answer', async () => {
    await edit(OPTIONAL);
    const { incorrect } = await read(ids[0]!);
    expect(
      (await edit({ incorrect: [incorrect[2], 'new', incorrect[0], incorrect[1]] })).body,
    ).toMatchObject({
      ...OPTIONAL,
      incorrect_reasons: ['Because c.', null, 'Because a.', null],
    });
    const none = { incorrect_reasons: null, source_title: null, valid_from: null, ages: null };
    expect((await edit(none)).body).toMatchObject({ ...none, excludes: ['other-group'] });
  });

  test('moving a question to another topic keeps them', async () => {
    await edit(OPTIONAL);
    const { body } = await call('PUT', `/questions/${ids[0]!}/topic`, { topic: `${topic} B` });
    expect(body).toMatchObject({ ...OPTIONAL, topic: `${topic} B` });
  });

  test.each([
    [{ incorrect_reasons: ['one'] }, 'incorrect_reasons', 'not_as_many'],
    [{ incorrect_reasons: ['one', ' ', null] }, 'incorrect_reasons.1', 'blank'],
    [{ source_title: ' ' }, 'source_title', 'blank'],
    [{ excludes: [' '] }, 'excludes.0', 'blank'],
    [{ valid_from: '0000-01-01' }, 'valid_from', 'not_a_date'],
  ])('refuses %j', async (changes, field, reason) => {
    expect(await edit(changes)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: { faults: [{ field, reason }] } },
    });
  });
});

test('the export is a file named by its date', async () => {
  const response = await gateway.app.inject({
    url: `/api/v1/questions/export?format=json&topic=${encodeURIComponent(topic)}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.headers['content-disposition']).toMatch(
    /^attachment; filename="proveklar-questions-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(response.json()).toHaveLength(5);
  expect(await lastAction()).toMatchObject({ action: 'questions.exported', subject: 'json' });
});
