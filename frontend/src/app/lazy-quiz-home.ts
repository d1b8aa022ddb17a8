import { lazyRouteComponent } from '@tanstack/react-router';
import { loadTexts } from '#i18n/i18n.ts';

/** The quiz home with its texts, loaded on demand: the sign-in page does not need it. */
export const LazyQuizHome = lazyRouteComponent(async () => {
  const [{ QuizHome }] = await Promise.all([import('./quiz-home.tsx'), loadTexts('learner')]);
  return { default: QuizHome };
});

/** What a visitor sees in place of the home: a learner who is signed in needs none of its code. */
export const LazySignInOrRegister = lazyRouteComponent(
  () => import('./sign-in-or-register.tsx'),
  'SignInOrRegister',
);
