import { ChevronRightIcon } from '@navikt/aksel-icons';
import type { Purchase } from '@proveklar/contract/payment.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { formatKroner } from '#lib/format.ts';
import { purchasesQuery } from './api.ts';
import { formatOsloDate, PurchaseStateTag } from './purchase-parts.tsx';
import styles from './purchases.module.css';

/** The learner's purchases, the newest first, with links to their receipts. */
export function PurchaseList() {
  const { t } = useTranslation(['purchase', 'translation']);
  const { data, isPending, isError, isFetching, refetch } = useQuery(purchasesQuery);
  const withdrawable = data?.payments.find(({ withdrawal }) => withdrawal !== null);
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
      {withdrawable && (
        <p>
          <Link to="/quiz/receipts/$id" params={{ id: withdrawable.id }} className="ds-link tap">
            {t('withdrawal.begin')}
          </Link>
        </p>
      )}
    </FormCard>
  );
}

function PurchaseRow({ purchase }: { purchase: Purchase }) {
  const { t, i18n } = useTranslation('purchase');
  const { id, receipt_number: number, service_days: days, paid_at, amount, refunded } = purchase;
  return (
    <li>
      <Link to="/quiz/receipts/$id" params={{ id }} className={styles.row}>
        <time className={styles.date} dateTime={paid_at}>
          {formatOsloDate(paid_at, i18n.language)}
        </time>
        <span className={styles.amount}>{formatKroner(amount / 100, i18n.language)}</span>
        <span className={styles.facts}>
          {t('receipts.row', { number })} · {t('receipts.days', { count: days })}
          {refunded > 0 &&
            ` · ${t('receipts.refunded', { amount: formatKroner(refunded / 100, i18n.language) })}`}
        </span>
        <span className={styles.state}>
          <PurchaseStateTag purchase={purchase} />
        </span>
        <ChevronRightIcon aria-hidden className={styles.arrow} />
      </Link>
    </li>
  );
}
