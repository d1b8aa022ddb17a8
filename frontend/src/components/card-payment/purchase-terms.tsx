import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import styles from './card-form.module.css';

/** What one agrees to by buying, and with whom. Links open another tab: here, what was typed would be lost. */
export function PurchaseTerms() {
  const { t } = useTranslation(['translation', 'purchase']);
  const { data: config } = useQuery(configQuery);
  const seller = sellerLine(config?.seller);
  return (
    <div className={styles.terms}>
      <p>{t('payment.no_subscription')}</p>
      <p>
        {t('payment.terms_before')}{' '}
        <a className="ds-link" href="/vilkar" target="_blank" rel="noreferrer">
          {t('purchase:payment.terms')}
        </a>
        .{' '}
        <a className="ds-link tap" href="/angrerett" target="_blank" rel="noreferrer">
          {t('purchase:payment.withdrawal')}
        </a>
      </p>
      {seller && <p>{t('purchase:payment.seller', { seller })}</p>}
    </div>
  );
}
