import { QueryClientProvider } from '@tanstack/react-query';
import { SkipLink } from '#components/page.tsx';
import { LandingPage } from '#features/landing/landing.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useKeptFocus } from './use-kept-focus.ts';

/** The landing page without the router. */
export function LandingApp() {
  useKeptFocus();
  return (
    <QueryClientProvider client={queryClient}>
      <SkipLink />
      <LandingPage />
    </QueryClientProvider>
  );
}
