import { Type, type Static } from 'typebox';
import { Closed, Language } from './common.ts';

export const TopicsQuery = Closed({ language: Type.Optional(Language) });

export const TopicsResponse = Closed({
  topics: Type.Array(Type.String(), {
    description: 'Topics with at least one validated question, in Norwegian alphabetical order.',
  }),
});
export type TopicsResponse = Static<typeof TopicsResponse>;
