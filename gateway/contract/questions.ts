import { Type, type Static } from 'typebox';
import { Closed, Uuid } from './common.ts';

export const QuestionsQuery = Closed({
  quiz_id: Type.Optional(Uuid),
});

/** A question with its key. A learner sees it only after the quiz has ended. */
const Question = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  answer: Type.String(),
  incorrect: Type.Array(Type.String(), { description: 'The wrong answers that were shown.' }),
  topic: Type.String(),
  language: Type.String(),
  explanation: Type.Union([Type.String(), Type.Null()]),
  source_url: Type.Union([Type.String(), Type.Null()]),
});

export const QuestionsResponse = Closed({
  questions: Type.Array(Question),
  total: Type.Integer(),
  page: Type.Integer({ minimum: 1 }),
});
export type QuestionsResponse = Static<typeof QuestionsResponse>;
