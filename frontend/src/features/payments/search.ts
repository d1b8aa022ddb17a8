import type { ListedPayment, PaymentStatus } from '@proveklar/contract/admin-payments.ts';

// Not imported: the contract's list comes with the code of its schemas.
export const STATUSES = [
  'settled',
  'partly_refunded',
  'refunded',
  'disputed',
  'paid_unsettled',
  'processing',
  'requires_action',
  'declined',
  'open',
  'abandoned',
  'cancelled',
] as const satisfies readonly PaymentStatus[];

export const PURPOSES = [
  'registration',
  'extension',
  'packet',
] as const satisfies readonly ListedPayment['purpose'][];

/** The search parameters of the payments page. */
export type PaymentsSearch = {
  status?: PaymentStatus | undefined;
  purpose?: ListedPayment['purpose'] | undefined;
  /** Only payments that need attention. */
  attention?: true | undefined;
  /** Part of an email address or an organisation's name, a PaymentIntent's id, or the number of a receipt or an organisation. */
  search?: string | undefined;
};

/** Keeps the parameters that the API would accept. */
export function readPaymentsSearch(parsed: { readonly [key: string]: unknown }): PaymentsSearch {
  // The router parses a receipt number as a number.
  const search = typeof parsed.search === 'number' ? String(parsed.search) : parsed.search;
  // Every parameter is set, because the router keeps those that are not.
  return {
    status: STATUSES.find((status) => status === parsed.status),
    purpose: PURPOSES.find((purpose) => purpose === parsed.purpose),
    attention: parsed.attention === true ? true : undefined,
    search: typeof search === 'string' && search !== '' ? search.slice(0, 255) : undefined,
  };
}
