import { STOP_TOKEN } from '@proveklar/gateway/openapi/examples/learning.ts';
import { LATER_QUIZ_ID, QUESTIONS, QUIZ_ID } from '@proveklar/gateway/openapi/examples/values.ts';
import { offerLanguage } from '@proveklar/services/languages/languages.ts';
import { stopToken } from '@proveklar/services/learning/reminders.ts';
import type { TestGateway } from '../gateway.ts';
import { createQuestions } from '../factories.ts';
import {
  addExampleQuestions,
  addExampleTranslation,
  signIn,
  type Call,
  type SetUps,
} from './set-up.ts';

const [FIRST, SECOND] = QUESTIONS;

/** A learner with an open quiz of the two questions. */
async function openQuiz(gateway: TestGateway, { instant_feedback = true } = {}): Promise<Call> {
  await addExampleQuestions(gateway);
  const { token, real } = await signIn(gateway);
  const body = { topic: 'Historie', instant_feedback };
  const started = await gateway.call('POST', '/quiz/start', { token, body });
  return { token, real: { ...real, [QUIZ_ID]: started.body.id as string } };
}

/** The same, with the first question answered right. */
async function halfWay(gateway: TestGateway): Promise<Call> {
  const call = await openQuiz(gateway);
  await post(gateway, call, 'answer', { question_id: FIRST.uuid, answer: FIRST.answer });
  return call;
}

/** The same, and the bank has the first question in English. */
async function translated(gateway: TestGateway): Promise<Call> {
  const call = await halfWay(gateway);
  await addExampleTranslation(gateway);
  return call;
}

async function halfWrong(gateway: TestGateway): Promise<Call> {
  const call = await openQuiz(gateway);
  await post(gateway, call, 'answer', { question_id: FIRST.uuid, answer: FIRST.incorrect[0] });
  return call;
}

/** A practice test that shows the example's first question among others. */
async function openTest(gateway: TestGateway): Promise<Call> {
  await createQuestions(gateway.deps.db, { count: 36 });
  await addExampleQuestions(gateway);
  const { token, real } = await signIn(gateway);
  const body = { topic: 'Praktisk prøve' };
  const started = await gateway.call('POST', '/quiz/start', { token, body });
  return { token, real: { ...real, [QUIZ_ID]: started.body.id as string } };
}

async function leave(
  gateway: TestGateway,
  how: 'end' | 'cancel',
  opened = openQuiz(gateway),
): Promise<Call> {
  const call = await opened;
  await post(gateway, call, how);
  return call;
}

async function endedHalfWay(gateway: TestGateway): Promise<Call> {
  const call = await halfWay(gateway);
  await post(gateway, call, 'end');
  return call;
}

/** The same, and another one after it. */
async function twoEnded(gateway: TestGateway): Promise<Call> {
  const call = await endedHalfWay(gateway);
  const token = call.token!;
  const body = { topic: 'Historie' };
  const { body: later } = await gateway.call('POST', '/quiz/start', { token, body });
  await gateway.call('POST', `/quiz/${later.id}/end`, { token });
  return { ...call, real: { ...call.real, [LATER_QUIZ_ID]: later.id as string } };
}

const post = (gateway: TestGateway, call: Call, action: string, body?: unknown) =>
  gateway.call('POST', `/quiz/${call.real![QUIZ_ID]!}/${action}`, { token: call.token!, body });

/** A learner without quizzes: the example's quiz does not exist. */
async function noQuiz(gateway: TestGateway): Promise<Call> {
  return signIn(gateway);
}

async function newLearner(gateway: TestGateway) {
  await addExampleQuestions(gateway);
  return signIn(gateway);
}

const REMINDERS = { reminders: true, reminders_consent: 'reminders-no-2026-11' };

/** A learner whose mail server has refused a mail. */
async function addressRefused(gateway: TestGateway): Promise<Call> {
  const call = await newLearner(gateway);
  await gateway.deps.db.query(
    `insert into mail (event_id, kind, account_id, language, claimed_until, refused_at, refused_code)
     select gen_random_uuid(), 'payment_confirmation', id, 'no', now(), now() + interval '1 hour', 550
     from account`,
  );
  return call;
}

/** As a mail program sends it. */
const oneClick = (token: string): Call => ({
  query: { token },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bytes: 'List-Unsubscribe=One-Click',
});

export const quizSetUps: SetUps = {
  'startQuiz.drill': async (gateway) => {
    await addExampleQuestions(gateway);
    return signIn(gateway);
  },
  'startQuiz.language_not_offered': async (gateway) => ({
    ...(await signIn(gateway)),
    body: { topic: 'Historie', language: 'pl' },
  }),
  'startQuiz.topic_unknown': async (gateway) => ({
    ...(await signIn(gateway)),
    body: { topic: 'Astronomi' },
  }),
  'startQuiz.no_mistakes': async (gateway) => ({
    ...(await signIn(gateway)),
    body: { topic: 'mistakes' },
  }),
  'startQuiz.not_enough_questions': async (gateway) => {
    await addExampleQuestions(gateway);
    return { ...(await signIn(gateway)), body: { topic: 'Praktisk prøve' } };
  },

  'startQuiz.too_many_open': async (gateway) => ({
    ...(await halfWay(gateway)),
    deps: { limits: { ...gateway.deps.limits, openDrills: 1 } },
  }),
  'startQuiz.rate_limited': async (gateway) => ({
    ...(await openQuiz(gateway)),
    deps: { limits: { ...gateway.deps.limits, quizzes: 1 } },
  }),

  'readQuiz.half_way': halfWay,
  'readQuiz.quiz_not_found': noQuiz,

  'answerQuestion.instant_feedback': openQuiz,
  'answerQuestion.silent': (gateway) => openQuiz(gateway, { instant_feedback: false }),
  'answerQuestion.quiz_not_found': noQuiz,
  'answerQuestion.quiz_closed': (gateway) => leave(gateway, 'end'),
  'answerQuestion.question_not_in_quiz': async (gateway) => ({
    ...(await openQuiz(gateway)),
    body: { question_id: crypto.randomUUID(), answer: FIRST.answer },
  }),
  'answerQuestion.answer_not_an_option': async (gateway) => ({
    ...(await openQuiz(gateway)),
    body: { question_id: FIRST.uuid, answer: SECOND.answer },
  }),

  'readTranslation.english': translated,
  'readTranslation.quiz_not_found': noQuiz,
  'readTranslation.question_not_found': async (gateway) => ({
    ...(await halfWay(gateway)),
    path: { uuid: crypto.randomUUID() },
  }),
  'readTranslation.question_not_answered': openQuiz,
  'readTranslation.translation_not_found': halfWay,
  'readTranslation.rate_limited': async (gateway) => ({
    ...(await halfWay(gateway)),
    deps: { limits: { ...gateway.deps.limits, translations: 0 } },
  }),

  'markQuestion.marked': openTest,
  'markQuestion.quiz_not_found': noQuiz,
  'markQuestion.quiz_closed': (gateway) => leave(gateway, 'end', openTest(gateway)),
  'markQuestion.question_not_in_quiz': async (gateway) => ({
    ...(await openTest(gateway)),
    path: { uuid: crypto.randomUUID() },
  }),

  'endQuiz.drill': halfWay,
  'endQuiz.quiz_not_found': noQuiz,
  'endQuiz.quiz_closed': (gateway) => leave(gateway, 'cancel'),

  'cancelQuiz.left': openQuiz,
  'cancelQuiz.quiz_not_found': noQuiz,
  'cancelQuiz.quiz_closed': (gateway) => leave(gateway, 'end'),

  'listHistory.one_drill': endedHalfWay,
  'listHistory.page': twoEnded,
  'listHistory.quiz_not_found': async (gateway) => ({
    ...(await signIn(gateway)),
    query: { before: QUIZ_ID },
  }),
  'listOpenQuizzes.one_drill': halfWay,
  'readProgress.one_drill': halfWrong,

  'readLearning.new_learner': newLearner,
  'changeLearningPlan.goal': newLearner,
  'changeLearningPlan.reminders': newLearner,
  'changeLearningPlan.consent_required': async (gateway) => ({
    ...(await newLearner(gateway)),
    body: { reminders: true },
  }),
  'changeLearningPlan.email_refused': async (gateway) => ({
    ...(await addressRefused(gateway)),
    body: REMINDERS,
  }),
  'stopReminders.one_click': async (gateway) => {
    const call = await newLearner(gateway);
    await gateway.call('PUT', '/learning', { token: call.token, body: REMINDERS });
    const { rows } = await gateway.deps.db.query<{ id: string; key: Buffer }>(
      `select account_id as id, reminders_key as key from learner_plan
       where reminders order by reminders_agreed_at desc limit 1`,
    );
    return oneClick(stopToken(rows[0]!.id, rows[0]!.key));
  },
  'stopReminders.not_found': async () => oneClick(STOP_TOKEN),
  'answerOutcome.passed': newLearner,

  'listQuestions.of_a_quiz': endedHalfWay,
  'listQuestions.admin_only': async (gateway) => ({
    ...(await endedHalfWay(gateway)),
    query: { page: '1' },
  }),
  'listQuestions.quiz_not_found': noQuiz,

  'reportQuestion.outdated': openQuiz,
  'reportQuestion.question_not_found': noQuiz,
  'reportQuestion.rate_limited': async (gateway) => ({
    ...(await openQuiz(gateway)),
    deps: { limits: { ...gateway.deps.limits, reports: 0 } },
  }),

  'listExams.at_first': async () => ({}),
  'listTopics.norwegian': async (gateway) => {
    await addExampleQuestions(gateway);
    return {};
  },
  'listTopics.nynorsk': async (gateway) => {
    await addExampleQuestions(gateway);
    await addExampleTranslation(gateway);
    const { db } = gateway.deps;
    await db.query(`update question set language = 'nn', topic = 'Historie' where language = 'en'`);
    await db.query(`insert into bank_revision default values`);
    await offerLanguage(db, 'example', { code: 'nn', offered: true });
    return {};
  },
};
