import type { Purchase } from '@proveklar/contract/payment.ts';
import { Tag } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { purchaseState } from '../purchase-state.ts';

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
