import { Type, type Static } from 'typebox';
import { Closed, Language } from './common.ts';
import { QuizQuestion } from './quiz.ts';

export const SampleQuery = Closed({ language: Type.Optional(Language) });

export const SampleResponse = Closed({
  questions: Type.Array(QuizQuestion, {
    maxItems: 10,
    description: 'At most ten; empty while the bank has no validated question.',
  }),
});
export type SampleResponse = Static<typeof SampleResponse>;
