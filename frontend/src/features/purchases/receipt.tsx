import '#theme/components.css';
import { Button } from '@digdir/designsystemet-react';
import { PrinterSmallIcon } from '@navikt/aksel-icons';
import { sellerLine } from '@proveklar/contract/page.ts';
import type { ReceiptResponse } from '@proveklar/contract/payment.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { notFound, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { FormCard, Stack } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { loadTexts } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { formatKroner } from '#lib/format.ts';
import { queryClient } from '#lib/query-client.ts';
import { receiptQuery } from './api.ts';
import { formatOsloDate, PurchaseStateTag } from './purchase-parts.tsx';
import { isMoved } from './purchase-state.ts';
import styles from './purchases.module.css';
import { Withdrawal } from './withdrawal.tsx';

/** Loads a receipt and its texts. An unknown id is a page not found. */
export async function loadReceipt(id: string): Promise<void> {
  const texts = loadTexts('purchase');
  try {
    await queryClient.ensureQueryData(receiptQuery(id));
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) throw notFound();
    throw error;
  }
  await texts;
}

export function ReceiptPage() {
  const { t } = useTranslation('purchase');
  const { id } = useParams({ from: '/identified/signed-in/quiz/receipts/$id' });
  return (
    <Page
      title={t('receipts.heading')}
      width="text"
      headerActions={
        <ButtonLink to="/quiz" search={{ tab: 'account' }} variant="tertiary">
          {t('receipts.back')}
        </ButtonLink>
      }
    >
      <ReceiptScreen id={id} />
    </Page>
  );
}

/** A receipt, and below it the withdrawal, which is not printed. */
function ReceiptScreen({ id }: { id: string }) {
  const { t } = useTranslation('purchase');
  const { data: receipt } = useSuspenseQuery(receiptQuery(id));
  return (
    <div className={styles.screen}>
      <FormCard>
        <ReceiptSheet receipt={receipt} />
        <div className={styles.unprinted}>
          <Button variant="secondary" onClick={() => window.print()}>
            <PrinterSmallIcon aria-hidden />
            {t('receipts.print')}
          </Button>
        </div>
      </FormCard>
      <div className={styles.unprinted}>
        <Withdrawal receipt={receipt} />
      </div>
    </div>
  );
}

/** The printed part of the receipt. */
function ReceiptSheet({ receipt }: { receipt: ReceiptResponse }) {
  const { t, i18n } = useTranslation('purchase');
  const day = (iso: string) => formatOsloDate(iso, i18n.language);
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
    <Stack as="article" gap={5}>
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
    </Stack>
  );
}
