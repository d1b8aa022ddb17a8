import type { AppLanguage } from '@proveklar/contract/language.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts, showLanguage, startTexts } from '#i18n/i18n.ts';
import { AccountDetails } from './account-details.tsx';
import { accountQuery } from './api.ts';

/** The texts of the account of a learner who has never had access, while it is free. */
async function wordsIn(language: AppLanguage, error: Error | null = null): Promise<string[]> {
  await startTexts(language);
  await loadTexts('pages');
  await showLanguage(language);
  const client = new QueryClient();
  client.setQueryData(accountQuery.queryKey, {
    account: {
      registered_at: '2026-01-15T08:30:00.000Z',
      service_expires_at: null,
      is_active: true,
    },
    days_remaining: 0,
    waiting_days: [],
    is_admin: false,
    role: null,
    email: 'demo@example.no',
    display_name: null,
    language,
  });
  if (error)
    client
      .getQueryCache()
      .find({ queryKey: accountQuery.queryKey })
      ?.setState({ status: 'error', error });
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <AccountDetails />
    </QueryClientProvider>,
  );
  return Array.from(markup.matchAll(/>([^<>]+)</gu), ([, text = '']) => text);
}

test('an account that never had access shows "not set" and "expired"', async () => {
  const norwegian = (await wordsIn('no')).join(' | ');
  expect(norwegian).toContain('Tilgangen gjelder til | Ikke satt | Dager igjen | Utløpt');
  const english = (await wordsIn('en')).join(' | ');
  expect(english).toContain('Access until | Not set | Days remaining | Expired');
});

test('an account that could not be read again is still shown, below the error', async () => {
  const words = (await wordsIn('en', new Error('offline'))).join(' | ');
  expect(words).toMatch(/Could not load account information.*Try again.*Access until \| Not set/);
});
