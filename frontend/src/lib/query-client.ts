import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Only what may go better next time is tried again: no answer, or a fault of the server. */
function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      // "Paused" would leave a skeleton on the screen; a failure can be shown and retried.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
