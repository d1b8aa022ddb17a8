import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { PICTURE_ALT, PICTURE_URI } from '#openapi/examples/values.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';

const gateway = useTestGateway();
interface Editor {
  email: string;
  token: string;
}
let kari: Editor;
let ola: Editor;

beforeAll(async () => {
  const { db, adminEmails: owners } = gateway.deps;
  [kari, ola] = (await Promise.all(
    ['kari', 'ola'].map(async () => {
      const email = uniqueEmail();
      const { idToken: token } = await gateway.identity.signInWithGoogle({ email });
      await inviteMember(db, { email, role: 'editor', actor: 'test', owners });
      await gateway.call('GET', '/account', { token });
      return { email, token };
    }),
  )) as [Editor, Editor];
});

type Method = 'GET' | 'POST' | 'PUT';
const call = (method: Method, path: string, body?: unknown, { token } = kari) =>
  gateway.call(method, path, { token, ...(body !== undefined && { body }) });

/** A question, as an editor writes it. */
const written = (changes: object = {}) => ({
  language: 'no',
  question: `Hva heter hovedstaden? ${crypto.randomUUID()}`,
  answer: 'Oslo',
  incorrect: ['Bergen', 'Tromsø'],
  topic: 'Geografi',
  explanation: 'Oslo har vært hovedstad siden 1814.',
  source_url: null,
  checked_at: null,
  tags: ['norge'],
  incorrect_reasons: ['Bergen er den nest største byen.', null],
  ...changes,
});
const write = async (changes: object = {}) =>
  (await call('POST', '/questions', written(changes))).body;
const edit = (question: Record<string, unknown>, changes: object, by = kari) => {
  const { id, version, revision, answer, incorrect, explanation, topic, tags } = question;
  const content = { question: question.question, answer, incorrect, explanation, topic, tags };
  const rest = { source_url: null, checked_at: null };
  return call(
    'PUT',
    `/questions/${String(id)}`,
    { version, revision, ...content, ...rest, ...changes },
    by,
  );
};
const versions = async (id: number) =>
  (await call('GET', `/questions/${id}/versions`)).body.versions;
const find = async (search: string) =>
  (await call('GET', `/questions?search=${encodeURIComponent(search)}`)).body;

describe('a new question', () => {
  test('is pending, has its author, is in the list and in the search at once, and in the audit log', async () => {
    const { total } = (await call('GET', '/questions')).body;
    const created = await call(
      'POST',
      '/questions',
      written({ image: PICTURE_URI, image_alt: PICTURE_ALT }),
    );
    expect(created).toMatchObject({
      status: 201,
      body: { validated: false, version: 1, revision: 1, import_id: null, group: null },
    });
    const { id, question, image } = created.body;
    expect(image).toMatchObject({ alt: PICTURE_ALT, width: 1000 });
    expect((await versions(id))[0]).toMatchObject({ version: 1, created_by: kari.email });
    const list = (await call('GET', '/questions')).body;
    expect([list.total, list.questions[0].id]).toEqual([total + 1, id]);
    expect((await find(question)).questions).toMatchObject([{ id }]);
    const { rows } = await gateway.deps.db.query(
      'select actor, action, subject from audit_entry order by id desc limit 1',
    );
    expect(rows).toEqual([{ actor: kari.email, action: 'question.created', subject: String(id) }]);
  });

  test.each([
    ['a blank answer', { answer: '  ' }, 'answer'],
    ['the right answer among the wrong ones', { incorrect: ['Oslo', 'Bergen'] }, 'incorrect.0'],
    ['a reserved topic', { topic: 'all' }, 'topic'],
    ['a picture without its text', { image: PICTURE_URI }, 'image_alt'],
  ])('is refused with %s, as an imported row is', async (_what, changes, field) => {
    const refused = await call('POST', '/questions', written(changes));
    expect(refused).toMatchObject({ status: 400, body: { details: { field } } });
  });

  test('is refused with the text of another question, which the answer names', async () => {
    const { id, question } = await write();
    const refused = await call('POST', '/questions', written({ question: question.toUpperCase() }));
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'question_duplicate', details: { field: 'question', question_id: id } },
    });
  });

  test('gets the picture of the question that it is a copy of', async () => {
    const original = await write({ image: PICTURE_URI, image_alt: PICTURE_ALT });
    const copy = await write({ picture_of: original.id, image_alt: 'En annen tekst' });
    expect(copy.image).toEqual({ ...original.image, alt: 'En annen tekst' });
  });
});

describe('a translation', () => {
  const english = (translation_of: number, changes: object = {}) =>
    written({
      language: 'en',
      translation_of,
      question: `What is the capital? ${crypto.randomUUID()}`,
      answer: 'Oslo, the city',
      ...changes,
    });
  const siblings = async (id: number) =>
    (await call('GET', `/questions/${id}/siblings`)).body.siblings;

  test('joins the group of its original, once in each language, when two editors write it at once', async () => {
    const original = await write();
    expect(await siblings(original.id)).toEqual([]);
    const attempts = await Promise.all(
      [kari, ola].map((by) => call('POST', '/questions', english(original.id), by)),
    );
    const [made, refused] = attempts.toSorted((a, b) => a.status - b.status);
    expect([made!.status, refused!.status]).toEqual([201, 409]);
    expect(refused!.body).toMatchObject({
      code: 'question_duplicate',
      details: { field: 'language', question_id: made!.body.id },
    });
    expect(await siblings(original.id)).toMatchObject([
      { question: { id: made!.body.id, language: 'en' }, before: null },
    ]);
    expect(await siblings(made!.body.id)).toMatchObject([{ question: { id: original.id } }]);
    const same = await call('POST', '/questions', english(original.id, { language: 'no' }));
    expect(same).toMatchObject({ status: 400, body: { details: { field: 'language' } } });
  });

  test('shows what was changed in the original since, until an editor says that they match', async () => {
    const original = await write();
    const { body: translation } = await call('POST', '/questions', english(original.id));
    await edit(original, { answer: 'Oslo kommune' });
    const [changed] = await siblings(translation.id);
    expect(changed).toMatchObject({
      question: { answer: 'Oslo kommune' },
      before: { answer: 'Oslo' },
    });

    const path = `/questions/${translation.id}/siblings/${original.id}/aligned`;
    expect(await call('POST', path)).toMatchObject({ status: 200 });
    expect((await siblings(translation.id))[0].before).toBeNull();
    expect((await siblings(original.id))[0].before).toBeNull();
    // A later change counts again; a change of this question itself brings the two in line.
    const [{ question: now }] = await siblings(translation.id);
    await edit(now, { answer: 'Oslo by' });
    expect((await siblings(translation.id))[0].before).toMatchObject({ answer: 'Oslo kommune' });
    await edit(translation, { answer: 'The city of Oslo' });
    expect((await siblings(translation.id))[0].before).toBeNull();

    const stranger = await write();
    const wrong = `/questions/${translation.id}/siblings/${stranger.id}/aligned`;
    expect(await call('POST', wrong)).toMatchObject({ status: 404 });
  });
});

describe('an earlier version', () => {
  let question: Record<string, unknown> & { id: number };
  beforeEach(async () => {
    const first = await write();
    question = (await edit(first, { answer: 'Stavanger', tags: ['feil'] })).body;
  });
  const restore = (version: number, seen: number) =>
    call('POST', `/questions/${question.id}/versions/${version}/restore`, { version: seen });

  test('is restored as a new version, with the tags of now', async () => {
    const restored = await restore(1, 2);
    expect(restored).toMatchObject({
      status: 200,
      body: {
        version: 3,
        answer: 'Oslo',
        tags: ['feil'],
        incorrect_reasons: ['Bergen er den nest største byen.', null],
      },
    });
    expect((await versions(question.id)).map(({ answer }: { answer: string }) => answer)).toEqual([
      'Oslo',
      'Stavanger',
      'Oslo',
    ]);
  });

  test('is not restored over a version that the editor has not seen, nor when it is unknown', async () => {
    expect(await restore(1, 1)).toMatchObject({ status: 409, body: { code: 'question_changed' } });
    expect(await restore(9, 2)).toMatchObject({ status: 404, body: { code: 'version_not_found' } });
    expect((await versions(question.id)).length).toBe(2);
  });
});

describe('two editors of one question', () => {
  test('overwrite nothing of each other, neither texts nor tags', async () => {
    const question = await write();
    expect((await edit(question, { tags: ['norge', 'by'] }, ola)).body).toMatchObject({
      version: 1,
      revision: 2,
    });
    const refused = await edit(question, { answer: 'Oslo kommune' });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'question_changed', details: { question: { tags: ['norge', 'by'] } } },
    });
    const both = await Promise.all(
      [kari, ola].map((by) => edit(refused.body.details.question, { answer: by.email }, by)),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test('are told of each other, and whether the other one writes', async () => {
    const { id } = await write();
    const report = async (by: Editor, writing: boolean) =>
      (await call('POST', `/questions/${id}/presence`, { writing }, by)).body.others;
    expect(await report(kari, false)).toEqual([]);
    expect(await report(ola, true)).toEqual([{ email: kari.email, writing: false }]);
    expect(await report(kari, false)).toEqual([{ email: ola.email, writing: true }]);
    // Silent for longer than the page would be.
    await gateway.deps.db.query(
      `update question_presence set seen_at = seen_at - interval '1 minute' where email = $1`,
      [ola.email],
    );
    expect(await report(kari, false)).toEqual([]);
  });

  test('are told that a question is gone which is deleted at the same moment', async () => {
    const { id } = await write();
    const { db } = gateway.deps;
    const report = await withTransaction(db, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await tx.query('delete from question where id = $1', [id]);
      const reported = call('POST', `/questions/${id}/presence`, { writing: false });
      await expect
        .poll(async () => {
          const waiting = await db.query(
            'select from pg_stat_activity where pg_blocking_pids(pid) @> array[$1::int]',
            [rows[0]!.pid],
          );
          return waiting.rowCount;
        })
        .toBe(1);
      return { reported };
    });
    expect(await report.reported).toMatchObject({
      status: 404,
      body: { code: 'question_not_found' },
    });
  });
});

test('search finds a question by option, explanation and tag, also after they are changed', async () => {
  const mark = crypto.randomUUID().slice(0, 8);
  const { id, ...rest } = await write({
    incorrect: ['Bergen', `Galt-${mark}`],
    explanation: `Fordi-${mark}`,
    tags: [`Merke-${mark}`],
    incorrect_reasons: null,
  });
  for (const text of [`galt-${mark}`, `FORDI-${mark}`, `merke-${mark}`]) {
    expect((await find(text)).questions).toMatchObject([{ id }]);
  }
  await edit({ id, ...rest }, { tags: [`nytt-${mark}`] });
  expect((await find(`merke-${mark}`)).total).toBe(0);
  expect((await find(`nytt-${mark}`)).total).toBe(1);
});

test('a page has 20 questions, or as many as asked for, up to a hundred', async () => {
  await Promise.all(Array.from({ length: 25 }, () => write({ topic: 'Mange' })));
  const list = async (query = '') => (await call('GET', `/questions?topic=Mange${query}`)).body;
  expect((await list()).questions.length).toBe(20);
  expect((await list('&page=2')).questions.length).toBe(5);
  const all = await list('&page_size=50');
  expect(all.questions.length).toBe(25);
  const second = await list('&page_size=10&page=2');
  expect(second.questions).toEqual(all.questions.slice(10, 20));
  expect(await call('GET', '/questions?page_size=101')).toMatchObject({ status: 400 });
});
