import { notFound } from '@tanstack/react-router';
import { receiptQuery } from '#features/purchases/api.ts';
import { loadTexts } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';

/** Fetches a receipt and the texts around it. An id that is none leads nowhere. */
export async function loadReceipt(id: string): Promise<void> {
  const texts = loadTexts('purchase');
  try {
    await queryClient.ensureQueryData(receiptQuery(id));
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) throw notFound();
    throw error;
  }
  await texts;
}
