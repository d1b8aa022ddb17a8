import type { Purchase } from '@proveklar/contract/payment.ts';
import { ChevronRightIcon } from '@navikt/aksel-icons';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatKroner } from '#lib/format.ts';
import { formatDay } from '../format-day.ts';
import styles from './purchase-list.module.css';
import { PurchaseStateTag } from './purchase-state-tag.tsx';

export function PurchaseRow({ purchase }: { purchase: Purchase }) {
  const { t, i18n } = useTranslation('purchase');
  const { id, receipt_number: number, service_days: days, paid_at, amount, refunded } = purchase;
  return (
    <li>
      <Link to="/quiz/receipts/$id" params={{ id }} className={styles.row}>
        <time className={styles.date} dateTime={paid_at}>
          {formatDay(paid_at, i18n.language)}
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
