import { expect, test, vi } from 'vitest';
import { loadQuiz } from './quiz-loaders.ts';

test('a path that is no id of a quiz is a page not found, and not asked for', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  await expect(loadQuiz('history')).rejects.toMatchObject({ isNotFound: true });
  expect(fetched).not.toHaveBeenCalled();
});
