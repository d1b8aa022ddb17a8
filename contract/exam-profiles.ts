import { Type, type Static } from 'typebox';
import { Closed, Timestamp } from './common.ts';
import { Exam } from './quiz.ts';

const Numbers = {
  questions_shown: Type.Integer({ minimum: 1, maximum: 200 }),
  questions_counted: Type.Integer({
    minimum: 1,
    maximum: 200,
    description: 'How many of those shown count; at most as many as are shown.',
  }),
  pass_mark: Type.Integer({
    minimum: 1,
    maximum: 200,
    description: 'Right answers that pass, among those that count.',
  }),
  minutes: Type.Integer({ minimum: 1, maximum: 300 }),
};

const Source = {
  source_url: Type.String({
    pattern: '^https?://[^\\s/]+[.][^\\s]+$',
    maxLength: 2000,
    description: 'Where the figures are published.',
  }),
  checked_at: Type.String({
    format: 'date',
    pattern: '^20',
    description: 'The day on which they were last compared with the source; not in the future.',
  }),
};

/** How a practice test is put together, and where that is from. */
export const ExamProfile = Closed({
  name: Exam,
  ...Numbers,
  ...Source,
  updated_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When an administrator last changed it; null before the first time.',
  }),
  updated_by: Type.Union([Type.String(), Type.Null()]),
});
export type ExamProfile = Static<typeof ExamProfile>;

/** What a learner is told of it. */
const ExamFacts = Closed({ name: Exam, ...Numbers, ...Source });
export type ExamFacts = Static<typeof ExamFacts>;

export const ExamsResponse = Closed({ exams: Type.Array(ExamFacts) });
export type ExamsResponse = Static<typeof ExamsResponse>;

export const ExamProfilesResponse = Closed({ exam_profiles: Type.Array(ExamProfile) });
export type ExamProfilesResponse = Static<typeof ExamProfilesResponse>;

export const ExamProfileParams = Closed({ name: Exam });

export const ExamProfileRequest = Closed({ ...Numbers, ...Source });
export type ExamProfileRequest = Static<typeof ExamProfileRequest>;
