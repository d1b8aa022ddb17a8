import { sampleQuery } from '#features/quiz/api.ts';
import { currentLanguage, loadTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';

/** Nothing of signing in: the page is for whoever has no account. */
export async function loadSample(): Promise<void> {
  // Started, not awaited: the page shows that they are on their way, or why they do not come.
  void queryClient.prefetchQuery(sampleQuery(currentLanguage()));
  void queryClient.prefetchQuery(configQuery);
  await loadTexts('learner');
}
