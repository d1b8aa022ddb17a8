import { judgePractise } from '@proveklar/operators/status/judge-service.ts';
import { readQuizActivity } from '@proveklar/services/quiz/read-activity.ts';
import type { Check } from './installation.ts';
import { readBooks } from './read-books.ts';

/** Whether there are questions to practise with: a new database has none. */
export const bank: Check = {
  name: 'Bank',
  run: (installation) =>
    readBooks(installation, async (db) => [judgePractise({ quizzes: await readQuizActivity(db) })]),
};
