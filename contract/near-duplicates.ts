import { type Static, Type } from 'typebox';
import { Closed, RowId, Uuid } from './common.ts';

// Near-duplicates: very similar questions that an import added.

/**
 * The search for near-duplicates after an import: `waiting` in the queue, `searching`, then
 * `done` or `cancelled`.
 */
const NEAR_DUPLICATE_STATES = ['waiting', 'searching', 'done', 'cancelled'] as const;
export const NearDuplicateProgress = Closed({
  state: Type.Enum(NEAR_DUPLICATE_STATES),
  checked: Type.Integer({ description: 'New questions checked so far.' }),
  total: Type.Integer({ description: 'New questions.' }),
  found: Type.Integer({ description: 'Pairs found, including those handled since.' }),
});
export type NearDuplicateProgress = Static<typeof NearDuplicateProgress>;

export const NearDuplicatesQuery = Closed({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  answer: Type.Optional(
    Type.Enum(['same', 'different'], {
      description: 'Only pairs whose right answers are the same, but for capital letters; or not.',
    }),
  ),
});

export const SameAnsweredQuery = Closed({
  which: Type.Enum(['newer', 'older'], {
    description: 'The question of each pair that the import brought, or the one before it.',
  }),
});
export const SameAnsweredResponse = Closed({
  ids: Type.Array(Type.Integer(), { maxItems: 1000, description: 'Of questions, at most 1,000.' }),
});
export type SameAnsweredResponse = Static<typeof SameAnsweredResponse>;

const SimilarQuestion = Closed({
  id: Type.Integer(),
  question: Type.String(),
  answer: Type.String({ description: 'The key.' }),
  topic: Type.String(),
  validated: Type.Boolean(),
  import_id: Type.Union([Uuid, Type.Null()]),
});
export type SimilarQuestion = Static<typeof SimilarQuestion>;

/** Two very similar questions in the same language. */
export const NearDuplicate = Closed({
  language: Type.String(),
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The share of common trigrams in the two texts; at least 0.6.',
  }),
  question: SimilarQuestion,
  similar: SimilarQuestion,
});
export type NearDuplicate = Static<typeof NearDuplicate>;

export const NearDuplicatesResponse = Closed({
  pairs: Type.Array(NearDuplicate, {
    description: 'Most similar first, 20 a page. `question` is the one that was imported.',
  }),
  total: Type.Integer({
    description: 'Such pairs that are not handled yet, counted up to 10,000.',
  }),
  same: Type.Integer({ description: 'Pairs with the same right answer.' }),
  different: Type.Integer({ description: 'Pairs with different right answers.' }),
  page: Type.Integer({ minimum: 1 }),
});
export type NearDuplicatesResponse = Static<typeof NearDuplicatesResponse>;

export const NearDuplicateParams = Closed({
  id: Uuid,
  question: RowId,
});

export const DismissNearDuplicateRequest = Closed({
  dismissed: Type.Boolean({ description: 'False undoes the dismissal.' }),
});
export type DismissNearDuplicateRequest = Static<typeof DismissNearDuplicateRequest>;
