import { Type, type Static } from 'typebox';
import { Closed, Uuid } from './common.ts';

export const NearDuplicatesQuery = Closed({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});

const SimilarQuestion = Closed({
  id: Type.Integer(),
  question: Type.String(),
  answer: Type.String({ description: 'The key.' }),
  topic: Type.String(),
  validated: Type.Boolean(),
  import_id: Type.Union([Uuid, Type.Null()]),
});
export type SimilarQuestion = Static<typeof SimilarQuestion>;

/** Two questions that are much the same, in one language. */
export const NearDuplicate = Closed({
  language: Type.String(),
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Of the trigrams of both texts, the part that they share; 0.6 and more.',
  }),
  question: SimilarQuestion,
  similar: SimilarQuestion,
});
export type NearDuplicate = Static<typeof NearDuplicate>;

export const NearDuplicatesResponse = Closed({
  pairs: Type.Array(NearDuplicate, {
    description:
      'The most similar first, 20 a page. `question` is the one that the import brought.',
  }),
  total: Type.Integer({ description: 'Pairs about which nothing was done, counted up to 10,000.' }),
  page: Type.Integer({ minimum: 1 }),
});
export type NearDuplicatesResponse = Static<typeof NearDuplicatesResponse>;

export const NearDuplicateParams = Closed({
  id: Uuid,
  question: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const DismissNearDuplicateRequest = Closed({
  dismissed: Type.Boolean({ description: 'False takes it back.' }),
});
export type DismissNearDuplicateRequest = Static<typeof DismissNearDuplicateRequest>;
