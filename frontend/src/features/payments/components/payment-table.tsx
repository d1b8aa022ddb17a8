import type { ListedPayment } from '@proveklar/contract/admin-payments.ts';
import { Tag } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import { StatusTag } from './status-tag.tsx';
import styles from './payments.module.css';

/** Payments, each with the way to its page. */
export function PaymentTable({ payments, busy }: { payments: ListedPayment[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const columns: Column<ListedPayment>[] = [
    {
      key: 'email',
      header: t('payments.column.email'),
      primary: true,
      render: ({ id, email }) => (
        <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
          {email ?? t('payments.deleted')}
        </Link>
      ),
    },
    {
      key: 'created',
      header: t('payments.column.created'),
      render: ({ created_at }) => (
        <time className={styles.date} dateTime={created_at}>
          {formatShortDateTime(created_at, i18n.language)}
        </time>
      ),
    },
    {
      key: 'purpose',
      header: t('payments.column.purpose'),
      render: ({ purpose }) => t(`payments.purpose.${purpose}`),
    },
    {
      key: 'amount',
      header: t('payments.column.amount'),
      align: 'end',
      render: ({ amount, refunded }) => (
        <span className={styles.stack}>
          <span>{formatKroner(amount / 100, i18n.language)}</span>
          {refunded > 0 && (
            <small>
              {t('payments.refunded', { amount: formatKroner(refunded / 100, i18n.language) })}
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'days',
      header: t('payments.column.days'),
      align: 'end',
      render: ({ days }) => days,
    },
    {
      key: 'status',
      header: t('payments.column.status'),
      render: (payment) => <Status payment={payment} />,
    },
    {
      key: 'receipt',
      header: t('payments.column.receipt'),
      align: 'end',
      render: ({ receipt_number }) => receipt_number ?? '–',
    },
  ];
  return (
    <DataTable
      caption={t('payments.list')}
      columns={columns}
      rows={payments}
      rowKey={({ id }) => id}
      busy={busy}
    />
  );
}

function Status({ payment }: { payment: ListedPayment }) {
  const { t } = useTranslation('admin');
  const { status, attention, declines } = payment;
  return (
    <span className={styles.stack}>
      <span className={styles.tags}>
        <StatusTag status={status} />
        {attention && (
          <Tag data-color="danger" data-size="sm" variant="outline">
            {t('payments.needs_you')}
          </Tag>
        )}
      </span>
      {declines > 0 && <small>{t('payments.declines', { count: declines })}</small>}
    </span>
  );
}
