import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { LandingFacts, PriceWording } from '@proveklar/contract/page.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, Link, RouterContextProvider } from '@tanstack/react-router';
import i18next from 'i18next';
import { type ReactNode, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { RouterLinks } from '#components/link.tsx';
import { landingQuery } from '#features/landing/landing-facts.ts';
import { loadRest } from '#features/landing/late-rest.ts';
import { loadTexts, showLanguage, startTexts } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
import { App } from '../app.tsx';
import { LandingApp } from '../landing-app.tsx';
import { PendingScreen } from '../pending-screen.tsx';
import { router } from '../router.ts';
import { HomeSkeleton } from './home-skeleton.tsx';
import type { BuiltPage } from './pages.ts';

export { NOWHERE, pagesIn, SITE, WITHOUT_SCRIPTS } from './pages.ts';

const SKELETONS = { page: PendingScreen, home: HomeSkeleton };

interface PageToRender extends Pick<BuiltPage, 'path' | 'skeleton'> {
  language: AppLanguage;
  wording: PriceWording;
}

/** Renders the HTML that the browser hydrates. Called by the build, for one page at a time. */
export async function renderPage(page: PageToRender): Promise<string> {
  const { language, wording } = page;
  await (i18next.isInitialized ? showLanguage(language) : startTexts(language));
  queryClient.setQueryData(configQuery.queryKey, configOf(wording));
  queryClient.setQueryData(landingQuery(language).queryKey, LANDING);
  return renderToString(<StrictMode>{await prepare(page)}</StrictMode>);
}

async function prepare({ path, skeleton }: PageToRender): Promise<ReactNode> {
  if (path === '/') {
    await loadRest();
    return <LandingApp />;
  }
  await loadTexts('pages');
  router.update({
    ...router.options,
    history: createMemoryHistory({ initialEntries: [path] }),
    // On a server this would be an inline script, which our content security policy forbids.
    scrollRestoration: false,
  });
  await Promise.all([router.load(), skeleton === 'home' && loadTexts('learner')]);
  if (!skeleton) return <App />;
  const Skeleton = SKELETONS[skeleton];
  return (
    <QueryClientProvider client={queryClient}>
      <RouterLinks value={Link}>
        <RouterContextProvider router={router}>
          <Skeleton />
        </RouterContextProvider>
      </RouterLinks>
    </QueryClientProvider>
  );
}

const FACTS = {
  questions_shown: 0,
  questions_counted: 0,
  pass_mark: 0,
  minutes: 0,
  source_url: '',
  checked_at: '2026-01-01',
};

/** Every value of these is a slot (`slot`): they only say that there are a question and two exams. */
const LANDING: LandingFacts = {
  question: { id: 0, uuid: '', question: '', options: [], topic: '', language: 'no' },
  exams: [
    { name: 'samfunnskunnskap', ...FACTS },
    { name: 'statsborger', ...FACTS },
  ],
  questions: 0,
};

/** A configuration that only chooses the wording; the values themselves are slots (`slot`). */
function configOf(wording: PriceWording): ConfigResponse {
  return {
    identity: { api_key: '', auth_domain: '', project_id: '', emulator_url: null },
    stripe: { publishable_key: '', script_url: null },
    support_email: '{{support_email}}',
    seller: { name: '{{seller}}', organisation_number: null, address: null, vat_registered: false },
    price: wording === 'free' ? 0 : 1,
    price_includes_vat: !wording.endsWith('without-vat'),
    currency: 'nok',
    // No prerendered page shows them.
    languages: [],
    service_days: wording.startsWith('days') ? 2 : 1,
  };
}
