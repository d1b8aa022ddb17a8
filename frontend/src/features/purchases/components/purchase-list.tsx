import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/form-card.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { purchasesQuery } from '../api.ts';
import styles from './purchase-list.module.css';
import { PurchaseRow } from './purchase-row.tsx';

/** What one has paid, the newest first; each leads to its receipt. */
export function PurchaseList() {
  const { t } = useTranslation(['purchase', 'translation']);
  const { data, isPending, isError, isFetching, refetch } = useQuery(purchasesQuery);
  return (
    <FormCard>
      <h2>{t('receipts.title')}</h2>
      {isPending && <SkeletonLines label={t('translation:app.loading')} lines={3} />}
      {isError && (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {t('receipts.load_failed')}
        </RetryAlert>
      )}
      {data?.payments.length === 0 && <p className="muted">{t('receipts.empty')}</p>}
      {data && data.payments.length > 0 && (
        <ul className={styles.list}>
          {data.payments.map((purchase) => (
            <PurchaseRow key={purchase.id} purchase={purchase} />
          ))}
        </ul>
      )}
    </FormCard>
  );
}
