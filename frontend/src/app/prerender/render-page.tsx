import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import i18next from 'i18next';
import { type ReactNode, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { loadTexts, showLanguage, startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
import { App } from '../app.tsx';
import { PendingScreen } from '../pending-screen.tsx';
import { router } from '../router.ts';
import { HomeSkeleton } from './home-skeleton.tsx';

export { headOf, modulesOf } from './head.ts';

const SKELETONS = { page: PendingScreen, home: HomeSkeleton };

export interface RenderOrder {
  path: string;
  language: AppLanguage;
  config: ConfigResponse;
  /** What is shown until the browser knows what belongs there; undefined for the page itself. */
  skeleton?: keyof typeof SKELETONS | undefined;
}

/** Renders what the browser will take over; only the build calls it, one page after the other. */
export async function renderPage(order: RenderOrder): Promise<string> {
  const { path, language, config, skeleton } = order;
  await (i18next.isInitialized ? showLanguage(language) : startTexts(language));
  queryClient.setQueryData(configQuery.queryKey, config);
  router.update({
    ...router.options,
    history: createMemoryHistory({ initialEntries: [path] }),
    // On a server it is an inline script, which our policy forbids.
    scrollRestoration: false,
  });
  await Promise.all([router.load(), skeleton === 'home' && loadTexts('learner')]);
  return renderToString(
    <StrictMode>{skeleton ? <Skeleton of={SKELETONS[skeleton]} /> : <App />}</StrictMode>,
  );
}

function Skeleton({ of: Screen }: { of: () => ReactNode }): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <Screen />
      </RouterContextProvider>
    </QueryClientProvider>
  );
}
