import type { Purchase } from '@proveklar/contract/payment.ts';
import { Alert } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import { formatDay } from '../format-day.ts';
import styles from './purchase-notices.module.css';

type DisputeNoticeProps = {
  purchase: Purchase;
  /** Whether one has other days to go on with. */
  hasAccess: boolean;
};

/** Why days are gone that were paid for: the bank has, or had, a complaint about their payment. */
export function DisputeNotice({ purchase, hasAccess }: DisputeNoticeProps) {
  const { t, i18n } = useTranslation('purchase');
  const { data: config } = useQuery(configQuery);
  const date = formatDay(purchase.paid_at, i18n.language);
  const isOpen = purchase.dispute === 'open';
  return (
    <Alert data-color={isOpen ? 'warning' : 'info'} data-size="sm">
      <div className={styles.content}>
        <h2 className={styles.title}>{t(isOpen ? 'notices.open_title' : 'notices.lost_title')}</h2>
        {isOpen ? (
          <>
            <p>{t(hasAccess ? 'notices.open_part' : 'notices.open_all', { date })}</p>
            <p>{t('notices.open_wait')}</p>
          </>
        ) : (
          <p>{t('notices.lost_text', { date })}</p>
        )}
        <p>{t(isOpen ? 'notices.open_write' : 'notices.lost_write')}</p>
        {config && (
          <p>
            <a className="ds-link" href={`mailto:${config.support_email}`}>
              {t('payment.contact', { email: config.support_email })}
            </a>
          </p>
        )}
      </div>
    </Alert>
  );
}
