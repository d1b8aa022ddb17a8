import type { PaymentStatus } from '@proveklar/contract/admin-payments.ts';
import { Tag } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

const COLOURS = {
  settled: 'success',
  partly_refunded: 'info',
  refunded: 'info',
  disputed: 'danger',
  paid_unsettled: 'warning',
  processing: 'warning',
  requires_action: 'warning',
  declined: 'warning',
  open: 'neutral',
  abandoned: 'neutral',
  cancelled: 'neutral',
} as const satisfies Record<PaymentStatus, string>;

export function StatusTag({ status }: { status: PaymentStatus }) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-color={COLOURS[status]} data-size="sm">
      {t(`payments.status.${status}`)}
    </Tag>
  );
}
