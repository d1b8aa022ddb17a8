import { Type, type Static } from 'typebox';
import { Closed, QuestionLanguage } from './common.ts';
import { MAX_TOPIC_LENGTH } from './topic-length.ts';

/** A topic as a caller names it. */
export const Topic = (description?: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TOPIC_LENGTH, ...(description && { description }) });

export const TopicsQuery = Closed({ language: Type.Optional(QuestionLanguage) });

export const TopicsResponse = Closed({
  topics: Type.Array(Type.String(), {
    description:
      'Topics with at least one validated question, in Norwegian alphabetical order; none in a language that is not offered.',
  }),
});
export type TopicsResponse = Static<typeof TopicsResponse>;
