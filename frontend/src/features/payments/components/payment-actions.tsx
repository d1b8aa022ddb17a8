import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import { Alert, Button } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { paymentsKeys, syncPayment } from '../api.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { StatusTag } from './status-tag.tsx';
import styles from './payments.module.css';

/** What state a payment is in, why somebody must look at it, and what can be done. */
export function PaymentActions({ payment }: { payment: PaymentDetails }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [refunding, setRefunding] = useState(false);
  const { id, status, attention, payment_intent_id: intent, refundable, stripe_url } = payment;
  const sync = useMutation({
    mutationFn: () => syncPayment(id),
    onSuccess: () => notify(t('payments.synced')),
    onError: (error) => notify(t('payments.failed.sync', { reason: errorText(error) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: paymentsKeys.all }),
  });
  return (
    <div className={`${styles.wide} ${styles.list}`}>
      {attention && (
        <Alert data-color="warning" data-size="sm">
          <h2 className={styles.heading}>{t('payments.needs_you')}</h2>
          <p>{t(`payments.attention.${attention}`)}</p>
        </Alert>
      )}
      <div className={styles.bar}>
        <StatusTag status={status} />
        {refundable > 0 && (
          <Button data-size="sm" onClick={() => setRefunding(true)}>
            {t('payments.refund.open')}
          </Button>
        )}
        {intent && (
          <BusyButton
            data-size="sm"
            variant="secondary"
            busy={sync.isPending}
            onClick={() => sync.mutate()}
          >
            {t('payments.sync')}
          </BusyButton>
        )}
        {stripe_url && (
          <a href={stripe_url} target="_blank" rel="noreferrer" className="ds-link">
            {t('payments.in_stripe')}
          </a>
        )}
        <Link to="/admin/dashboard/audit" search={{ subject: id }} className="ds-link">
          {t('payments.in_log')}
        </Link>
      </div>
      <RefundDialog payment={payment} open={refunding} onClose={() => setRefunding(false)} />
    </div>
  );
}
