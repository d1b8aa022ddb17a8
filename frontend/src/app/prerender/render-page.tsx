import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { PriceWording } from '@proveklar/contract/page.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import i18next from 'i18next';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { loadTexts, showLanguage, startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
import { App } from '../app.tsx';
import { PendingScreen } from '../pending-screen.tsx';
import { router } from '../router.ts';
import { HomeSkeleton } from './home-skeleton.tsx';
import type { BuiltPage } from './pages.ts';

export { NOWHERE, pagesIn, SITE, WITHOUT_SCRIPTS } from './pages.ts';

const SKELETONS = { page: PendingScreen, home: HomeSkeleton };

interface RenderOrder extends Pick<BuiltPage, 'path' | 'skeleton'> {
  language: AppLanguage;
  wording: PriceWording;
}

/** Renders what the browser will take over; only the build calls it, one page after the other. */
export async function renderPage(order: RenderOrder): Promise<string> {
  const { path, language, skeleton, wording } = order;
  await (i18next.isInitialized ? showLanguage(language) : startTexts(language));
  queryClient.setQueryData(configQuery.queryKey, configOf(wording));
  router.update({
    ...router.options,
    history: createMemoryHistory({ initialEntries: [path] }),
    // On a server it is an inline script, which our policy forbids.
    scrollRestoration: false,
  });
  await Promise.all([router.load(), skeleton === 'home' && loadTexts('learner')]);
  const Skeleton = skeleton && SKELETONS[skeleton];
  return renderToString(
    <StrictMode>
      {Skeleton ? (
        <QueryClientProvider client={queryClient}>
          <RouterContextProvider router={router}>
            <Skeleton />
          </RouterContextProvider>
        </QueryClientProvider>
      ) : (
        <App />
      )}
    </StrictMode>,
  );
}

/** Of the figures a page shows only in which words they are written; they themselves are slots (`slot`). */
function configOf(wording: PriceWording): ConfigResponse {
  return {
    identity: { api_key: '', auth_domain: '', project_id: '', emulator_url: null },
    stripe: { publishable_key: '', script_url: null },
    support_email: '{{support_email}}',
    seller: { name: '{{seller}}', organisation_number: null, address: null, vat_registered: false },
    price: wording === 'free' ? 0 : 1,
    price_includes_vat: !wording.endsWith('without-vat'),
    currency: 'nok',
    // No page that is built shows them.
    languages: [],
    service_days: wording.startsWith('days') ? 2 : 1,
  };
}
