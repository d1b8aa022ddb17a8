import { Type, type Static } from 'typebox';
import { Closed, Uuid } from './common.ts';

export const FEEDBACK_REASONS = [
  'wrong_answer',
  'unclear',
  'outdated',
  'language',
  'other',
] as const;
/** Open until an administrator closes it. */
export const FEEDBACK_STATES = ['open', 'fixed', 'dismissed'] as const;

/** A question in a path: its id, or its uuid. */
export const QuestionParams = Closed({
  question: Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Uuid]),
});

export const FeedbackRequest = Closed({
  type: Type.Literal('thumbs_down'),
  reason: Type.Optional(
    Type.Enum(FEEDBACK_REASONS, {
      description: 'What is wrong with the question.',
    }),
  ),
  comment: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type FeedbackRequest = Static<typeof FeedbackRequest>;
