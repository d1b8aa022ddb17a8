import { lazyRouteComponent } from '@tanstack/react-router';
import { loadLearnerTexts } from '#i18n/learner/load-texts.ts';

/** The home, which who signs in does not need before. Its texts come with it. */
export const LazyQuizHome = lazyRouteComponent(async () => {
  const [{ QuizHome }] = await Promise.all([import('./quiz-home.tsx'), loadLearnerTexts()]);
  return { default: QuizHome };
});
