import type { PaymentDetails } from '@proveklar/contract/admin-payments.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { formatKroner } from '#lib/format.ts';
import styles from './payments.module.css';

type Item<K extends 'refunds' | 'disputes' | 'refusals' | 'events'> = PaymentDetails[K][number];

/** What became of a payment: refunds, disputes, refused cards, and what Stripe said. */
export function PaymentHistory({ payment }: { payment: PaymentDetails }) {
  const { t, i18n } = useTranslation('admin');
  const codeText = useCodeText();
  const at = (time: string | null) => (time ? formatShortDateTime(time, i18n.language) : '–');
  const kroner = (ore: number) => formatKroner(ore / 100, i18n.language);
  const column = <Row,>(
    key: 'date' | 'amount' | 'state' | 'reason' | 'due' | 'type' | 'handled' | 'by',
    render: (row: Row) => ReactNode,
    primary = false,
  ): Column<Row> => ({ key, header: t(`payments.history.${key}`), render, primary });

  const ofRefund = column<Item<'refunds'>>;
  const ofDispute = column<Item<'disputes'>>;
  const ofRefusal = column<Item<'refusals'>>;
  const ofEvent = column<Item<'events'>>;

  return (
    <>
      <Part title={t('payments.history.refunds')} rows={payment.refunds}>
        {[
          ofRefund('date', (one) => at(one.created_at), true),
          ofRefund('amount', (one) => kroner(one.amount)),
          ofRefund('state', (one) => (
            <span className={styles.stack}>
              <span>{t(`payments.refund_state.${one.state}`)}</span>
              {one.failure && <small>{codeText('refund_failure', one.failure)}</small>}
            </span>
          )),
          ofRefund('reason', (one) => t(`payments.refund_reason.${one.reason}`)),
          ofRefund('by', (one) => one.requested_by ?? '–'),
        ]}
      </Part>
      <Part title={t('payments.history.disputes')} rows={payment.disputes}>
        {[
          ofDispute('date', (one) => at(one.opened_at), true),
          ofDispute('amount', (one) => kroner(one.amount)),
          ofDispute('state', (one) => codeText('dispute_status', one.status)),
          ofDispute('reason', (one) => codeText('dispute_reason', one.reason)),
          ofDispute('due', (one) => at(one.evidence_due_at)),
        ]}
      </Part>
      <Part title={t('payments.history.refusals')} rows={payment.refusals}>
        {[
          ofRefusal('date', (one) => at(one.at), true),
          ofRefusal('reason', (one) => (one.code ? codeText('decline_code', one.code) : '–')),
        ]}
      </Part>
      <Part title={t('payments.history.events')} rows={payment.events}>
        {[
          ofEvent('type', (one) => <span className={styles.ids}>{one.type}</span>, true),
          ofEvent('date', (one) => at(one.received_at)),
          ofEvent('handled', (one) => at(one.processed_at)),
          ofEvent('by', (one) => t(`payments.event_source.${one.source}`)),
        ]}
      </Part>
    </>
  );
}

type PartProps<Row> = { title: string; rows: readonly Row[]; children: readonly Column<Row>[] };

function Part<Row extends { id: string }>({ title, rows, children }: PartProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <section className={`${styles.wide} ${styles.part}`}>
      <h2 className={styles.heading}>{title}</h2>
      <DataTable caption={title} columns={children} rows={rows} rowKey={({ id }) => id} />
    </section>
  );
}

type CodeGroup = 'dispute_status' | 'dispute_reason' | 'decline_code' | 'refund_failure';

/** Stripe's and the banks' words in plain ones; a word that is not known is told as it came. */
function useCodeText() {
  const { t, i18n } = useTranslation('admin');
  return (group: CodeGroup, code: string): string => {
    const key = `payments.${group}.${code}`;
    // The failure may be a sentence, whose dots and colons would be read as those of a key.
    return /^[a-z_]+$/.test(code) && i18n.exists(key, { ns: 'admin' })
      ? t(key as 'payments.decline_code.generic_decline')
      : t('payments.other_code', { code });
  };
}
