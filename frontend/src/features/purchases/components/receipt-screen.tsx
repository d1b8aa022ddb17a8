import { Button } from '@digdir/designsystemet-react';
import { PrinterSmallIcon } from '@navikt/aksel-icons';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/form-card.tsx';
import { receiptQuery } from '../api.ts';
import { ReceiptSheet } from './receipt-sheet.tsx';
import styles from './receipt-screen.module.css';
import { Withdrawal } from './withdrawal.tsx';

/** A receipt, and below it the right of withdrawal, which is not printed. */
export function ReceiptScreen({ id }: { id: string }) {
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
