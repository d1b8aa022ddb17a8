import { QUESTIONS } from '@proveklar/gateway/openapi/examples/values.ts';
import type { TestGateway } from '../gateway.ts';
import { addExampleQuestions, addExampleTranslation, type Call, type SetUps } from './set-up.ts';

const [FIRST, SECOND] = QUESTIONS;

/** A sample of the two questions. */
async function sampled(gateway: TestGateway): Promise<Call> {
  await addExampleQuestions(gateway);
  return {};
}

/** The same, and the bank has the first question in English. */
async function translated(gateway: TestGateway): Promise<Call> {
  await sampled(gateway);
  await addExampleTranslation(gateway);
  return {};
}

export const sampleSetUps: SetUps = {
  'readSample.norwegian': translated,

  'readSampleTranslation.english': translated,
  'readSampleTranslation.question_not_in_quiz': async (gateway) => ({
    ...(await sampled(gateway)),
    path: { uuid: crypto.randomUUID() },
  }),
  'readSampleTranslation.translation_not_found': sampled,

  'answerSample.right': sampled,
  'answerSample.question_not_in_quiz': async (gateway) => ({
    ...(await sampled(gateway)),
    body: { question_id: crypto.randomUUID(), answer: FIRST.answer },
  }),
  'answerSample.answer_not_an_option': async (gateway) => ({
    ...(await sampled(gateway)),
    body: { question_id: FIRST.uuid, answer: SECOND.answer },
  }),
};
