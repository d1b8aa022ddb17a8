import { Tag } from '@digdir/designsystemet-react';
import { languageTag } from '@proveklar/contract/language.ts';
import type { Purchase } from '@proveklar/contract/payment.ts';
import { useTranslation } from 'react-i18next';
import { purchaseState } from './purchase-state.ts';

const colors = {
  paid: 'success',
  refund_coming: 'info',
  partly_refunded: 'neutral',
  refunded: 'neutral',
  disputed: 'warning',
  dispute_lost: 'neutral',
} as const;

export function PurchaseStateTag({ purchase }: { purchase: Purchase }) {
  const { t } = useTranslation('purchase');
  const state = purchaseState(purchase);
  return (
    <Tag data-size="sm" data-color={colors[state]}>
      {t(`receipts.state.${state}`)}
    </Tag>
  );
}

/**
 * ISO time → "14. januar 2025", or "14 January 2025" on an English page. The day in Norway, wherever the learner is,
 * because a receipt's date is fixed, and the law counts Norwegian days.
 */
export function formatOsloDate(iso: string, language: string): string {
  const locale = languageTag(language) === 'en' ? 'en-GB' : 'nb-NO';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Oslo' });
  // A no-break space keeps the day with its month.
  return format.format(new Date(iso)).replace(' ', '\u00A0');
}
