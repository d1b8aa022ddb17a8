import { Type, type Static } from 'typebox';
import { Closed, Timestamp, Uuid } from './common.ts';

const HistoryItem = Closed({
  id: Uuid,
  topic: Type.String(),
  completed_at: Timestamp,
  correct_answers: Type.Integer(),
  total_questions: Type.Integer({ description: 'Questions that counted.' }),
  time_spent: Type.Integer({ description: 'Seconds from the start to the end.' }),
  passed: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null for a drill.' }),
  pass_mark: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Right answers that a practice test needs; null for a drill.',
  }),
  regraded_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the result was last changed because the key of a question was wrong.',
  }),
});

export const HistoryQuery = Closed({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Quizzes of a page. Left out, the whole history is one answer.',
    }),
  ),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the page before.' }),
  ),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export const HistoryResponse = Closed({
  history: Type.Array(HistoryItem, { description: 'Ended quizzes, the newest first.' }),
  next_before: Type.Union([Uuid, Type.Null()], { description: 'Null when there are no more.' }),
});
export type HistoryResponse = Static<typeof HistoryResponse>;

const OpenQuiz = Closed({
  id: Uuid,
  topic: Type.String(),
  started_at: Timestamp,
  answered: Type.Integer(),
  questions: Type.Integer({ description: 'Questions shown.' }),
  seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Until the deadline; null without one.',
  }),
});

export const OpenQuizzesResponse = Closed({
  quizzes: Type.Array(OpenQuiz, {
    description: 'Quizzes to go on with, the newest first; drills without any answer come last.',
  }),
});
export type OpenQuizzesResponse = Static<typeof OpenQuizzesResponse>;
