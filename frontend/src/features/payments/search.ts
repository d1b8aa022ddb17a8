import type { PaymentStatus } from '@proveklar/contract/admin-payments.ts';

// Written out here: the contract's own list comes with the code that makes its schemas.
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

/** What the address of the payments says. */
export type PaymentsSearch = {
  status?: PaymentStatus | undefined;
  /** Only those that a person must look at. */
  attention?: true | undefined;
  /** An address or part of one, a PaymentIntent, a receipt's number. */
  search?: string | undefined;
};

/** Takes from an address what the API would take; anything else in it is left out. */
export function readPaymentsSearch(asked: { readonly [key: string]: unknown }): PaymentsSearch {
  // A receipt's number reads as one.
  const search = typeof asked.search === 'number' ? String(asked.search) : asked.search;
  // Each is named: the router keeps what is not.
  return {
    status: STATUSES.find((status) => status === asked.status),
    attention: asked.attention === true ? true : undefined,
    search: typeof search === 'string' && search !== '' ? search.slice(0, 255) : undefined,
  };
}
