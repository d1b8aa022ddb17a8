import type { PaymentsSearch } from './search.ts';

/**
 * The live topic `payments` makes everything below `all` out of date, and the summary, which counts
 * all payments, at most once in five seconds.
 */
export const paymentsKeys = {
  all: ['admin', 'payments'] as const,
  list: (wish: PaymentsSearch) => [...paymentsKeys.all, 'list', wish] as const,
  summary: () => ['admin', 'payments-summary'] as const,
  one: (id: string) => [...paymentsKeys.all, 'one', id] as const,
  run: (id: string) => [...paymentsKeys.all, 'run', id] as const,
};
