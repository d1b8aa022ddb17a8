import { lazy } from 'react';
import { lazyPart } from '#components/lazy-part.tsx';
import { loadTexts } from '#i18n/i18n.ts';

/** The profile, loaded on demand: most visits do not open it. */
export const LazyProfile = lazyPart(async () => (await import('./home-profile.tsx')).HomeProfile);

export const LazyHomeData = lazyPart(async () => (await import('./home-profile.tsx')).HomeData);

/** Loads its texts too, because /login has not loaded them. */
export const LazyEmailChangedNotice = lazy(async () => {
  const [{ EmailChangedNotice }] = await Promise.all([
    import('#features/profile/email-changed-notice.tsx'),
    loadTexts('learner'),
  ]);
  return { default: EmailChangedNotice };
});
