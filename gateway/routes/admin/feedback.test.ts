import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let admin: string;
let learners: { email: string; token: string; quizId: string }[];
let questions: { id: number; uuid: string; question: string }[];

beforeAll(async () => {
  const { db, config } = gateway.deps;
  admin = (await gateway.identity.signInWithGoogle({ email: config.ADMIN_EMAIL })).idToken;
  await createQuestions(db, { topic: 'Historie', count: 30 });
  // Each learner gets all of the questions.
  const signUp = async () => {
    const { uid, email, idToken: token } = await gateway.identity.createPasswordUser();
    await addDays(db, { uid, email }, 30);
    const body = { topic: 'Historie', question_count: 30 };
    const quiz = (await gateway.call('POST', '/quiz/start', { token, body })).body;
    questions = quiz.questions;
    return { email, token, quizId: quiz.id as string };
  };
  learners = [];
  for (let n = 0; n < 5; n += 1) learners.push(await signUp());
});
beforeEach(() => gateway.deps.db.query('truncate feedback, audit_entry, outbox'));

const report = (learner: number, question: number, more: object = {}) =>
  gateway.call('POST', `/questions/${questions[question]!.uuid}/feedback`, {
    token: learners[learner]!.token,
    body: { type: 'thumbs_down', ...more },
  });
const list = async (query = '') =>
  (await gateway.call('GET', `/admin/feedback${query}`, { token: admin })).body;
const grouped = async (query = '') =>
  (await gateway.call('GET', `/admin/feedback/questions${query}`, { token: admin })).body;
const change = (question: number | string, action: 'close' | 'reopen', body?: object) =>
  gateway.call('POST', `/admin/feedback/questions/${question}/${action}`, { token: admin, body });
const close = (question: number, body: object = { state: 'fixed' }) =>
  change(questions[question]!.uuid, 'close', body);
const ids = ({ questions: found }: { questions: { id: number }[] }) => found.map(({ id }) => id);
const audited = async () =>
  (await gateway.call('GET', '/admin/audit', { token: admin })).body.entries;
const events = async () =>
  (
    await gateway.deps.db.query(
      `select name from outbox where name in ('feedback.closed', 'feedback.reopened')`,
    )
  ).rows;

describe('the list of reports', () => {
  test('the list of reports is empty at first', async () => {
    expect(await list()).toEqual({ feedback: [], total: 0, page: 1, page_size: 100 });
  });

  test('the list of reports has every report with its details, newest first', async () => {
    await report(0, 0);
    await report(1, 1, { reason: 'outdated', comment: 'Gammelt.' });
    await close(0, { state: 'dismissed' });
    const { feedback, total } = await list();
    expect(total).toBe(2);
    expect(feedback).toMatchObject([
      {
        user_email: learners[1]!.email,
        question_id: questions[1]!.id,
        question_uuid: questions[1]!.uuid,
        question: questions[1]!.question,
        topic: 'Historie',
        type: 'thumbs_down',
        quiz_id: learners[1]!.quizId,
        reason: 'outdated',
        comment: 'Gammelt.',
        state: 'open',
      },
      { user_email: learners[0]!.email, reason: null, comment: null, state: 'dismissed' },
    ]);
    expect((await list('?state=open')).feedback).toHaveLength(1);
    expect((await list(`?question_id=${questions[0]!.id}`)).feedback).toHaveLength(1);
    expect(await list(`?state=fixed&question_id=${questions[0]!.id}`)).toMatchObject({ total: 0 });
    expect(await list('?page=2')).toMatchObject({ feedback: [], total: 2, page: 2 });
  });

  test.each(['?state=x', '?page=0', '?page=x', '?question_id=0', '?unknown=1'])(
    'refuses %s',
    async (query) => {
      const { status } = await gateway.call('GET', `/admin/feedback${query}`, { token: admin });
      expect(status).toBe(400);
    },
  );
});

describe('the reported questions', () => {
  test('reported questions come with counts, reasons and the latest comments', async () => {
    await report(0, 0, { reason: 'outdated', comment: 'en' });
    await report(1, 0, { reason: 'outdated', comment: 'to' });
    await close(0);
    await report(2, 0, { reason: 'unclear', comment: 'tre' });
    await report(3, 0, { comment: 'fire' });
    await report(4, 0);
    const [question] = (await grouped()).questions;
    expect(question).toMatchObject({
      id: questions[0]!.id,
      uuid: questions[0]!.uuid,
      state: 'open',
      retired: false,
      reports: { open: 3, total: 5 },
      reasons: { wrong_answer: 0, unclear: 1, outdated: 2, language: 0, other: 0, none: 2 },
      comments: [
        { reason: null, comment: 'fire' },
        { reason: 'unclear', comment: 'tre' },
        { reason: 'outdated', comment: 'to' },
      ],
    });
    const { feedback } = await list();
    expect(question.last_reported_at).toBe(feedback[0].created_at);
    expect(question.first_reported_at).toBe(feedback[4].created_at);
  });

  test('reported questions are sorted, filtered and paged', async () => {
    await report(0, 0);
    await report(1, 0);
    await report(0, 1);
    await report(0, 2);
    await close(2, { state: 'dismissed' });
    const [first, second, third] = questions.map(({ id }) => id);
    expect(ids(await grouped())).toEqual([second, first]);
    expect(ids(await grouped('?sort=reports'))).toEqual([first, second]);
    expect(ids(await grouped('?state=closed'))).toEqual([third]);
    expect(ids(await grouped('?state=all'))).toEqual([third, second, first]);
    expect((await grouped('?state=closed')).questions[0].state).toBe('dismissed');
    for (let n = 3; n < 25; n += 1) await report(0, n);
    const newestFirst = questions.slice(0, 25).map(({ id }) => id);
    newestFirst.splice(2, 1);
    newestFirst.reverse();
    const pages = [await grouped(), await grouped('?page=2'), await grouped('?page=3')];
    expect(pages.flatMap(ids)).toEqual(newestFirst);
    for (const page of pages) expect(page).toMatchObject({ total: 24, page_size: 20 });
  });
});

describe('closing a question’s reports', () => {
  test('closing a question’s reports closes all open ones, is audited once and notifies other admins', async () => {
    await report(0, 0);
    await report(1, 0);
    await report(0, 1);
    expect(await close(0)).toEqual({ status: 200, body: { ok: true, reports: 2 } });
    expect(await close(0)).toEqual({ status: 200, body: { ok: true, reports: 0 } });
    expect(await audited()).toMatchObject([
      {
        actor: gateway.deps.config.ADMIN_EMAIL,
        action: 'feedback.closed',
        subject: String(questions[0]!.id),
        details: { state: 'fixed', reports: 2 },
      },
    ]);
    expect(await events()).toEqual([{ name: 'feedback.closed' }]);
    expect(ids(await grouped())).toEqual([questions[1]!.id]);
  });

  test('closing leaves reports open that arrived after the list was read', async () => {
    await report(0, 0);
    const [{ last_reported_at: reported_until }] = (await grouped()).questions;
    // Times have milliseconds; the next report must fall into another one.
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(reported_until) + 1);
    await report(1, 0);
    expect((await close(0, { state: 'fixed', reported_until })).body.reports).toBe(1);
    expect((await grouped()).questions[0].reports).toEqual({ open: 1, total: 2 });
  });

  test('reopening restores only the reports that were closed last', async () => {
    await report(0, 0);
    await close(0, { state: 'dismissed' });
    await report(1, 0);
    await close(0, { state: 'fixed' });
    expect((await change(questions[0]!.id, 'reopen')).body).toEqual({ ok: true, reports: 1 });
    expect((await list()).feedback).toMatchObject([{ state: 'open' }, { state: 'dismissed' }]);
    expect((await audited())[0]).toMatchObject({
      action: 'feedback.reopened',
      details: { reports: 1 },
    });
    expect(await events()).toContainEqual({ name: 'feedback.reopened' });
  });

  test('a learner can report a question again after its reports were closed', async () => {
    await report(0, 0, { comment: 'Feil.' });
    await close(0);
    await report(0, 0, { comment: 'Fortsatt feil.' });
    expect((await list('?state=open')).feedback).toMatchObject([{ comment: 'Fortsatt feil.' }]);
    expect(await events()).toContainEqual({ name: 'feedback.reopened' });
  });

  test('closing refuses an unknown question and an unknown state', async () => {
    for (const question of [999_999, crypto.randomUUID()]) {
      for (const [action, body] of [['close', { state: 'fixed' }], ['reopen']] as const) {
        const { status, body: answer } = await change(question, action, body);
        expect([status, answer.code]).toEqual([404, 'question_not_found']);
      }
    }
    for (const body of [
      { state: 'open' },
      {},
      { state: 'fixed', reported_until: 'now' },
      { state: 'fixed', reported_until: '2026-06-30T23:59:60Z' },
    ]) {
      expect((await close(0, body)).status).toBe(400);
    }
  });
});
