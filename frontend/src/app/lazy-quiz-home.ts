import { lazyRouteComponent } from '@tanstack/react-router';
import { loadTexts } from '#i18n/i18n.ts';

/** The home, which who signs in does not need before. Its texts come with it. */
export const LazyQuizHome = lazyRouteComponent(async () => {
  const [{ QuizHome }] = await Promise.all([import('./quiz-home.tsx'), loadTexts('learner')]);
  return { default: QuizHome };
});
