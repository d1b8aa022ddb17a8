import type { ProgressResponse } from '../quiz-progress.ts';
import type { OperationDocs } from './operation.ts';

export const readProgress: OperationDocs<never, ProgressResponse> = {
  operationId: 'readProgress',
  description:
    'Counted by the latest answer to each question, of the questions that can be drawn today. An answer counts once its result was told: at once with instant feedback, else when its quiz has ended. A question that was handed in without an answer counts as not answered.',
  examples: {
    one_drill: {
      summary: 'One question answered, wrongly, in a drill on history',
      answer: {
        topics: [
          {
            topic: 'Historie',
            language: 'no',
            names: { no: 'Historie', en: null },
            met: 1,
            right: 0,
            enough: false,
            last_practised_at: '2026-01-16T17:06:00.000Z',
          },
        ],
        mistakes: 1,
        weakest: null,
      },
    },
  },
};
