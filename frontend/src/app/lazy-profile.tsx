import { lazyPart } from '#components/lazy-part.tsx';

/** The profile, loaded on demand: most visits do not open it. */
export const LazyProfile = lazyPart(async () => (await import('./home-profile.tsx')).HomeProfile);

export const LazyHomeData = lazyPart(async () => (await import('./home-profile.tsx')).HomeData);
