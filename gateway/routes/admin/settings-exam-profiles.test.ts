import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
const FIGURES = {
  questions_shown: 36,
  questions_counted: 32,
  pass_mark: 24,
  minutes: 60,
  source_url: 'https://utrop.no/nyheter/nytt/333413',
  checked_at: '2026-11-20',
};
let token: string;

beforeAll(async () => {
  const email = gateway.deps.config.ADMIN_EMAIL;
  token = (await gateway.identity.signInWithGoogle({ email })).idToken;
});

const put = (body: unknown, name = 'statsborger') =>
  gateway.call('PUT', `/admin/exam-profiles/${name}`, { token, body });
const recorded = async () =>
  (await gateway.call('GET', '/admin/audit?action=exam_profile.updated', { token })).body.entries;

describe('an exam profile', () => {
  test('an exam profile is changed, and the change is audited', async () => {
    const changed = { ...FIGURES, minutes: 75, checked_at: '2026-11-21' };
    const { status, body } = await put(changed);
    expect([status, body]).toMatchObject([200, { name: 'statsborger', ...changed }]);
    expect(body.updated_by).toBe(gateway.deps.config.ADMIN_EMAIL);
    expect((await put(changed)).body).toEqual(body);
    expect(await recorded()).toMatchObject([
      {
        subject: 'statsborger',
        details: {
          changes: {
            minutes: { before: 60, after: 75 },
            checked_at: { before: '2026-11-20', after: '2026-11-21' },
          },
        },
      },
    ]);
    const { body: list } = await gateway.call('GET', '/admin/exam-profiles', { token });
    expect(list.exam_profiles).toMatchObject([{ name: 'samfunnskunnskap', minutes: 60 }, changed]);
  });

  test.each([
    ['questions_counted', { questions_counted: 37 }],
    ['pass_mark', { pass_mark: 33 }],
    ['pass_mark', { pass_mark: 0 }],
    ['minutes', { minutes: 0 }],
    ['minutes', { minutes: 301 }],
    ['minutes', { minutes: 60.5 }],
    ['questions_shown', { questions_shown: 201 }],
    ['source_url', { source_url: 'javascript:alert(1)' }],
    ['source_url', { source_url: '' }],
    ['checked_at', { checked_at: '2026-02-30' }],
    ['checked_at', { checked_at: '2099-01-01' }],
    ['checked_at', { checked_at: '0000-01-01' }],
  ])('an exam profile refuses a bad %s: %j', async (field, wrong) => {
    const { status, body } = await put({ ...FIGURES, ...wrong });
    expect([status, body.details?.field]).toEqual([400, field]);
  });

  test('changing an unknown exam profile is refused', async () => {
    expect((await put(FIGURES, 'norskprove')).status).toBe(400);
  });
});

test('a started test keeps its pass mark, time and questions when the profile changes', async () => {
  await createQuestions(gateway.deps.db, { count: 60 });
  const learner = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, learner, 30);
  const as = { token: learner.idToken };
  const begin = async () => {
    const body = { topic: 'Praktisk prøve', exam: 'statsborger' };
    return (await gateway.call('POST', '/quiz/start', { ...as, body })).body;
  };
  const history = async () => (await gateway.call('GET', '/quiz/history', as)).body.history;
  await put(FIGURES);
  const failed = await begin();
  await gateway.call('POST', `/quiz/${failed.id}/end`, as);
  const underWay = await begin();

  await put({ ...FIGURES, questions_shown: 10, questions_counted: 8, pass_mark: 1, minutes: 5 });
  const read = async (id: string) => (await gateway.call('GET', `/quiz/${id}`, as)).body;
  expect((await read(failed.id)).exam).toMatchObject({ pass_mark: 24, passed: false });
  // Less of its time is left by now.
  const exam = { ...underWay.exam, seconds_left: expect.any(Number) };
  expect(await read(underWay.id)).toEqual({ ...underWay, exam });
  for (const { uuid, options } of underWay.questions) {
    const right = options.find((option: string) => option.startsWith('right'));
    const body = { question_id: uuid, answer: right };
    await gateway.call('POST', `/quiz/${underWay.id}/answer`, { ...as, body });
    if (uuid === underWay.questions[19].uuid) break;
  }
  const ended = await gateway.call('POST', `/quiz/${underWay.id}/end`, as);
  expect(ended.body).toMatchObject({ total: 32, passed: false });
  expect(await history()).toMatchObject([{ passed: false }, { passed: false }]);

  const next = await begin();
  expect(next).toMatchObject({ total: 8, exam: { pass_mark: 1 } });
  expect(next.questions).toHaveLength(10);
});
