import { lazy } from 'react';
import { loadTexts } from '#i18n/i18n.ts';

/** What one changes of oneself: most visits do not look at it. */
export const LazyProfile = lazy(async () => ({
  default: (await import('./home-profile.tsx')).HomeProfile,
}));

export const LazyHomeData = lazy(async () => ({
  default: (await import('./home-profile.tsx')).HomeData,
}));

/** Its texts come with it: on /login nothing else has loaded them. */
export const LazyEmailChangedNotice = lazy(async () => {
  const [{ EmailChangedNotice }] = await Promise.all([
    import('#features/profile/email-changed-notice.tsx'),
    loadTexts('learner'),
  ]);
  return { default: EmailChangedNotice };
});
