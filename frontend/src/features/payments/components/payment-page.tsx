import { ArrowLeftIcon } from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import { paymentQuery } from '../api.ts';
import { PaymentActions } from './payment-actions.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { PaymentHistory } from './payment-history.tsx';
import styles from './payments.module.css';

/** One payment: what it gave, what became of it, and what can be done about it. */
export function PaymentPage() {
  const { id } = useParams({ from: '/identified/admin/dashboard/payments/$id' });
  // What was begun for one payment does not belong to the next.
  return <OnePayment key={id} id={id} />;
}

function OnePayment({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(paymentQuery(id));
  const { data: payment, error } = found;
  // 400: what stands in the address is no id.
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <AdminScreen
      title={t('payments.title_one')}
      lead={payment && (payment.email ?? t('payments.deleted'))}
      actions={
        <ButtonLink to="/admin/dashboard/payments" variant="tertiary" data-size="sm">
          <ArrowLeftIcon aria-hidden />
          {t('payments.back')}
        </ButtonLink>
      }
    >
      {found.isPending && <SkeletonLines label={t('payments.loading_one')} lines={8} />}
      {isMissing && (
        <EmptyState title={t('payments.missing')}>
          <p>{t('payments.missing_text')}</p>
        </EmptyState>
      )}
      {found.isError && !isMissing && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('payments.failed.fetch_one', { status: statusText(error) })}
        </RetryAlert>
      )}
      {payment && (
        <div className={styles.page}>
          <PaymentActions payment={payment} />
          <PaymentFacts payment={payment} />
          <PaymentHistory payment={payment} />
        </div>
      )}
    </AdminScreen>
  );
}
