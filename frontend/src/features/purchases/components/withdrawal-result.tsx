import type { RefundResponse } from '@proveklar/contract/payment.ts';
import { Alert } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import { formatKroner } from '#lib/format.ts';

const looks = {
  requested: { color: 'info', text: 'requested' },
  pending: { color: 'info', text: 'requested' },
  succeeded: { color: 'success', text: 'succeeded' },
  failed: { color: 'warning', text: 'failed' },
  cancelled: { color: 'warning', text: 'failed' },
} as const;

/** How far the money is that a learner gets back; it changes while they look. */
export function WithdrawalResult({ refund }: { refund: RefundResponse }) {
  const { t, i18n } = useTranslation('purchase');
  const { data: config } = useQuery(configQuery);
  const { color, text } = looks[refund.state];
  return (
    <Alert data-color={color} data-size="sm" role="status">
      <p>
        <strong>{t('withdrawal.done')}</strong>
      </p>
      <p>
        {t(`withdrawal.${text}`, {
          amount: formatKroner(refund.amount / 100, i18n.language),
          email: config?.support_email,
        })}
      </p>
    </Alert>
  );
}
