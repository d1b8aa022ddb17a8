import { QUESTIONS } from '@proveklar/gateway/openapi/examples/values.ts';
import { countEvents } from '../count-events.ts';
import type { TestGateway } from '../gateway.ts';
import { addExampleQuestions, signIn, signInAdmin, type Call, type SetUps } from './set-up.ts';

const [{ uuid, answer, incorrect }] = QUESTIONS;

/** An administrator, after a learner has answered the first question right and handed in. */
async function answered(gateway: TestGateway): Promise<Call> {
  await addExampleQuestions(gateway);
  const { token } = await signIn(gateway);
  const { body: quiz } = await gateway.call('POST', '/quiz/start', {
    token,
    body: { topic: 'Historie' },
  });
  await gateway.call('POST', `/quiz/${quiz.id}/answer`, {
    token,
    body: { question_id: uuid, answer },
  });
  await gateway.call('POST', `/quiz/${quiz.id}/end`, { token });
  await countEvents(gateway.deps.db);
  return { token: (await signInAdmin(gateway)).token };
}

/** An administrator, after a learner has reported the first question. */
async function reported(gateway: TestGateway): Promise<Call> {
  await addExampleQuestions(gateway);
  const { token } = await signIn(gateway);
  await gateway.call('POST', '/quiz/start', { token, body: { topic: 'Historie' } });
  const body = { type: 'thumbs_down' };
  await gateway.call('POST', `/questions/${uuid}/feedback`, { token, body });
  return { token: (await signInAdmin(gateway)).token };
}

async function withQuestions(gateway: TestGateway): Promise<Call> {
  await addExampleQuestions(gateway);
  return { token: (await signInAdmin(gateway)).token };
}

/** The question of the example is not in the bank. */
async function noQuestion(gateway: TestGateway): Promise<Call> {
  return { token: (await signInAdmin(gateway)).token };
}

export const questionQualitySetUps: SetUps = {
  'listReviewQueue.reported': reported,
  'summarizeQuality.too_few': answered,
  'readCoverage.without_tags': withQuestions,
  'dismissQuality.reported': reported,
  'dismissQuality.question_not_found': noQuestion,
  'readQuestionStatistics.answered_once': answered,
  'readQuestionStatistics.question_not_found': noQuestion,
  'correctKey.another_option': answered,
  'correctKey.question_not_found': noQuestion,
  'correctKey.answer_not_an_option': async (gateway) => ({
    ...(await answered(gateway)),
    body: { version: 1, answer: 'I 1913' },
  }),
  'correctKey.question_changed': async (gateway) => {
    const call = await answered(gateway);
    const body = { version: 1, answer: incorrect[0] };
    await gateway.call('POST', `/questions/${uuid}/correct-key`, { token: call.token!, body });
    return call;
  },
};
