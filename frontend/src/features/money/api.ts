import type { FunnelResponse, MoneyResponse } from '@proveklar/contract/money.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, request } from '#lib/api-client.ts';
import { saveFile } from '#lib/save-file.ts';

export type MoneySearch = {
  /** A year, or a month: `2026`, `2026-03`. This year by default. */
  period?: string | undefined;
};

/** Keeps a period that the API would accept. The router parses a year as a number. */
export function readMoneySearch({ period }: { readonly [key: string]: unknown }): MoneySearch {
  const text = String(period);
  return { period: /^20\d\d(-(0[1-9]|1[0-2]))?$/u.test(text) ? text : undefined };
}

const moneyKeys = {
  figures: (period: string) => ['admin', 'money', period] as const,
  funnel: (period: string) => ['admin', 'money', 'funnel', period] as const,
};

/** The figures of a year by month, or of a month by day. */
export function moneyQuery(period: string) {
  return queryOptions({
    queryKey: moneyKeys.figures(period),
    queryFn: ({ signal }) =>
      api<MoneyResponse>(`/admin/money?period=${period}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** How many came how far on the way from the free sample to practising. */
export function funnelQuery(period: string) {
  return queryOptions({
    queryKey: moneyKeys.funnel(period),
    queryFn: ({ signal }) =>
      api<FunnelResponse>(`/admin/money/funnel?period=${period}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Saves the entries of a period as a CSV file for the accountant. */
export async function downloadLedger(period: string): Promise<void> {
  const response = await request(`/admin/money/ledger?period=${period}`, { signedIn: true });
  saveFile(await response.blob(), `proveklar-regnskap-${period}.csv`);
}
