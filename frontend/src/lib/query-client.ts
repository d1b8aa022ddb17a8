import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Retries only after no answer or a server error. */
function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      // A paused query would leave a skeleton on the page; a failure can be shown and retried.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
