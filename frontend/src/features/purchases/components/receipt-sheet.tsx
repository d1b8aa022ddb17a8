import type { ReceiptResponse } from '@proveklar/contract/payment.ts';
import { sellerLine } from '@proveklar/contract/page.ts';
import { useTranslation } from 'react-i18next';
import { DefinitionList } from '#components/definition-list.tsx';
import { formatKroner } from '#lib/format.ts';
import { formatDay } from '../format-day.ts';
import { isMoved } from '../purchase-state.ts';
import { PurchaseStateTag } from './purchase-state-tag.tsx';
import styles from './receipt-sheet.module.css';

/** The receipt itself: what is printed. */
export function ReceiptSheet({ receipt }: { receipt: ReceiptResponse }) {
  const { t, i18n } = useTranslation('purchase');
  const day = (iso: string) => formatDay(iso, i18n.language);
  const period = ({ starts_at, ends_at }: ReceiptResponse['period']) =>
    t('receipts.period_value', { from: day(starts_at), to: day(ends_at) });
  const { vat_percent: percent, seller } = receipt;
  const { current_period: current } = receipt;
  const hasDays = Date.parse(current.ends_at) > Date.parse(current.starts_at);
  const rows = [
    { label: t('receipts.number'), value: receipt.receipt_number },
    { label: t('receipts.date'), value: day(receipt.paid_at) },
    {
      label: t('receipts.product'),
      value: t('receipts.product_value', { count: receipt.service_days }),
    },
    { label: t('receipts.period'), value: period(receipt.period) },
    ...(isMoved(receipt)
      ? [
          {
            label: t('receipts.new_period'),
            value: hasDays ? period(current) : t('receipts.no_period'),
          },
        ]
      : []),
    { label: t('receipts.amount'), value: formatKroner(receipt.amount / 100, i18n.language) },
    {
      label: percent > 0 ? t('receipts.vat', { percent }) : t('receipts.vat_none'),
      value: formatKroner(receipt.vat / 100, i18n.language),
    },
    { label: t('receipts.payment_method'), value: t('receipts.card') },
    { label: t('receipts.buyer'), value: receipt.buyer_email },
    ...(seller.name
      ? [
          {
            label: t('receipts.seller'),
            value: sellerLine({ ...seller, name: seller.name, vat_registered: percent > 0 }),
          },
        ]
      : []),
  ];
  return (
    <article className={styles.sheet}>
      <header className={styles.head}>
        <h1>{t('receipts.heading')}</h1>
        <PurchaseStateTag purchase={receipt} />
      </header>
      <DefinitionList rows={rows} />
      {receipt.refunds.length > 0 && (
        <section className={styles.refunds}>
          <h2>{t('receipts.refunds')}</h2>
          <ul>
            {receipt.refunds.map((refund) => (
              <li key={refund.id}>
                <span>
                  {day(refund.date)} · {t(`receipts.refund_state.${refund.state}`)}
                </span>
                <strong>{formatKroner(refund.amount / 100, i18n.language)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}
