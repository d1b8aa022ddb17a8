import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DefinitionList } from '#components/definition-list.tsx';
import { formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import styles from './payments.module.css';

/** What was bought, by whom, and what it gave. */
export function PaymentFacts({ payment }: { payment: PaymentDetails }) {
  const { t, i18n } = useTranslation('admin');
  const at = (time: string) => formatShortDateTime(time, i18n.language);
  const day = (time: string) => formatShortDate(time, i18n.language);
  const { email, credit, receipt, consent, cancelled_at, cancel_reason } = payment;
  const bought = [
    {
      label: t('payments.column.email'),
      value: email ? (
        <Link to="/admin/dashboard/users" search={{ email }} className="ds-link">
          {email}
        </Link>
      ) : (
        t('payments.deleted')
      ),
    },
    ...(payment.username ? [{ label: t('payments.fact.name'), value: payment.username }] : []),
    { label: t('payments.column.purpose'), value: t(`payments.purpose.${payment.purpose}`) },
    { label: t('payments.column.created'), value: at(payment.created_at) },
    {
      label: t('payments.column.amount'),
      value: formatKroner(payment.amount / 100, i18n.language),
    },
    {
      label: t('payments.fact.consent'),
      value: consent
        ? t('payments.fact.consent_value', { version: consent.version, date: at(consent.at) })
        : t('payments.fact.no_consent'),
    },
    ...(cancelled_at && cancel_reason
      ? [
          {
            label: t('payments.fact.cancelled'),
            value: t('payments.fact.cancelled_value', {
              date: at(cancelled_at),
              reason: t(`payments.cancel_reason.${cancel_reason}`),
            }),
          },
        ]
      : []),
    {
      label: t('payments.fact.stripe'),
      value: (
        <>
          <span className={styles.ids}>{payment.payment_intent_id ?? '–'}</span>
          {payment.intent_status && <div className="muted">{payment.intent_status}</div>}
        </>
      ),
    },
  ];
  const gave = [
    {
      label: t('payments.fact.days'),
      value: credit
        ? t('payments.fact.days_value', { count: credit.days })
        : t('payments.fact.no_days'),
    },
    ...(credit
      ? [
          { label: t('payments.fact.taken_back'), value: String(credit.taken_back) },
          {
            label: t('payments.fact.period'),
            value: `${day(credit.starts_at)} – ${day(credit.ends_at)}`,
          },
        ]
      : []),
    ...(payment.paid_at ? [{ label: t('payments.fact.paid'), value: at(payment.paid_at) }] : []),
    {
      label: t('payments.column.receipt'),
      value: receipt
        ? t('payments.fact.receipt_value', {
            number: receipt.number,
            date: day(receipt.issued_at),
            vat: formatKroner(receipt.vat / 100, i18n.language),
          })
        : '–',
    },
    {
      label: t('payments.fact.refunded'),
      value: formatKroner(payment.refunded / 100, i18n.language),
    },
  ];
  return (
    <>
      <section className={styles.panel} aria-labelledby="bought">
        <h2 id="bought" className={styles.heading}>
          {t('payments.fact.bought')}
        </h2>
        <DefinitionList rows={bought} />
      </section>
      <section className={styles.panel} aria-labelledby="gave">
        <h2 id="gave" className={styles.heading}>
          {t('payments.fact.gave')}
        </h2>
        <DefinitionList rows={gave} />
      </section>
    </>
  );
}
