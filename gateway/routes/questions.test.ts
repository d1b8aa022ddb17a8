import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;
let other: string;

beforeAll(async () => {
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 60 });
  [token, other] = await Promise.all([subscriber(), subscriber()]);
});

async function subscriber(): Promise<string> {
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  return user.idToken;
}

const start = async (body: object = { topic: 'Historie' }) =>
  (await gateway.call('POST', '/quiz/start', { token, body })).body;
const end = (id: string) => gateway.call('POST', `/quiz/${id}/end`, { token });
const answer = (id: string, question: { uuid: string; options: string[] }, which: string) =>
  gateway.call('POST', `/quiz/${id}/answer`, {
    token,
    body: {
      question_id: question.uuid,
      answer: question.options.find((option) => option.startsWith(which)),
    },
  });
const report = (question: unknown, body: object, as = token) =>
  gateway.call('POST', `/questions/${String(question)}/feedback`, { token: as, body });

describe('GET /quiz/history', () => {
  test('the history is empty before the first quiz', async () => {
    const answered = await gateway.call('GET', '/quiz/history', { token: other });
    expect(answered).toEqual({ status: 200, body: { history: [], next_before: null } });
  });

  test('the history has the ended quizzes, newest first, of their learner only', async () => {
    const drill = await start();
    await answer(drill.id, drill.questions[0], 'right');
    await end(drill.id);
    const practice = await start({ topic: 'Praktisk prøve', exam: 'statsborger' });
    await end(practice.id);
    await start();
    const { body } = await gateway.call('GET', '/quiz/history', { token });
    expect(body.history).toMatchObject([
      { id: practice.id, topic: 'Praktisk prøve', total_questions: 32, passed: false },
      { id: drill.id, topic: 'Historie', correct_answers: 1, total_questions: 10, passed: null },
    ]);
    expect(body.history[0].time_spent).toBeGreaterThanOrEqual(0);
    const foreign = await gateway.call('GET', '/quiz/history', { token: other });
    expect(foreign.body.history).toEqual([]);
  });
});

describe('GET /quiz/open', () => {
  test('open quizzes can be continued on another device', async () => {
    const quiz = await start();
    await answer(quiz.id, quiz.questions[0], 'wrong');
    const { body } = await gateway.call('GET', '/quiz/open', { token });
    expect(body.quizzes[0]).toMatchObject({ id: quiz.id, answered: 1, questions: 10 });
    await gateway.call('POST', `/quiz/${quiz.id}/cancel`, { token });
    const { body: after } = await gateway.call('GET', '/quiz/open', { token });
    expect(after.quizzes.map(({ id }: { id: string }) => id)).not.toContain(quiz.id);
  });
});

describe('GET /questions', () => {
  test('returns the questions of the last ended quiz, with their keys', async () => {
    const quiz = await start();
    await end(quiz.id);
    const { status, body } = await gateway.call('GET', '/questions', { token });
    expect([status, body.total, body.page]).toEqual([200, 10, 1]);
    expect(body.questions.map(({ uuid }: { uuid: string }) => uuid)).toEqual(
      quiz.questions.map(({ uuid }: { uuid: string }) => uuid),
    );
    expect(body.questions[0].answer).toMatch(/^right/);
    expect(body.questions[0].incorrect).toHaveLength(3);
  });

  test('returns the questions of a quiz by its id, as they were shown', async () => {
    const practice = await start({ topic: 'Praktisk prøve' });
    await end(practice.id);
    await end((await start()).id);
    const { body } = await gateway.call('GET', `/questions?quiz_id=${practice.id}`, { token });
    expect(body.total).toBe(38);
    expect(body.questions[0].incorrect).toHaveLength(2);
  });

  test("returns no questions of an open quiz, nor of another learner's", async () => {
    const open = await start();
    const ended = await start();
    await end(ended.id);
    const attempts = [
      gateway.call('GET', `/questions?quiz_id=${open.id}`, { token }),
      gateway.call('GET', `/questions?quiz_id=${ended.id}`, { token: other }),
      gateway.call('GET', `/questions?quiz_id=${crypto.randomUUID()}`, { token }),
      gateway.call('GET', '/questions', { token: other }),
    ];
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([404, 'quiz_not_found']);
    }
  });
});

describe('POST /questions/{uuid}/feedback', () => {
  const stored = async (uuid: string) => {
    const { rows } = await gateway.deps.db.query(
      `select reason, comment, feedback.state,
         (select count(*)::int from outbox where name = 'feedback.reported'
          and (payload->>'question_id')::bigint = question.id) as events
       from feedback join question on question.id = question_id where question.uuid = $1`,
      [uuid],
    );
    return rows;
  };

  test('a learner has one report per question, by uuid or id', async () => {
    const quiz = await start();
    const [question] = quiz.questions;
    const reports = Array.from({ length: 5 }, () => report(question.uuid, { type: 'thumbs_down' }));
    for (const answered of await Promise.all(reports)) {
      expect(answered).toEqual({ status: 200, body: { ok: true } });
    }
    await report(question.id, { type: 'thumbs_down', reason: 'outdated', comment: ' Gammelt. ' });
    await report(question.uuid, { type: 'thumbs_down' });
    expect(await stored(question.uuid)).toEqual([
      { reason: 'outdated', comment: 'Gammelt.', state: 'open', events: 1 },
    ]);
  });

  test('a question that the learner never saw cannot be reported', async () => {
    const [question] = (await start()).questions;
    // Drawn at random: it may be the one reported above.
    const before = await stored(question.uuid);
    for (const which of [question.uuid, question.id, 999_999, crypto.randomUUID()]) {
      const answered = await report(which, { type: 'thumbs_down' }, other);
      expect(answered).toMatchObject({ status: 404, body: { code: 'question_not_found' } });
    }
    expect(await stored(question.uuid)).toEqual(before);
  });

  test.each([
    [{}, 'type'],
    [{ type: 'thumbs_up' }, 'type'],
    [{ type: 'thumbs_down', reason: 'x' }, 'reason'],
    [{ type: 'thumbs_down', comment: 'x'.repeat(1001) }, 'comment'],
    [{ type: 'thumbs_down', state: 'fixed' }, 'state'],
  ])('a report refuses %j', async (body, field) => {
    const [question] = (await start()).questions;
    const answered = await report(question.uuid, body);
    expect(answered).toMatchObject({ status: 400, body: { details: { field } } });
  });
});
