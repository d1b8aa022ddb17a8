import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import { formatKroner } from '#lib/format.ts';
import styles from './price.module.css';

/** Price and duration as the service has them now; the space is reserved while they load. */
export function Price() {
  const { t, i18n } = useTranslation();
  const { data: config, isError } = useQuery(configQuery);
  if (isError) return <p className={styles.price}>{t('landing.pricing_unavailable')}</p>;
  if (!config) {
    return (
      <div className={styles.price} role="status" aria-label={t('app.loading')}>
        <span className={`ds-skeleton ${styles.skeleton}`} />
      </div>
    );
  }
  if (config.price === 0) {
    return (
      <div className={styles.price}>
        <strong className={styles.amount}>{t('landing.pricing_free')}</strong>
        <span className="muted">{t('landing.pricing_free_duration')}</span>
      </div>
    );
  }
  return (
    <div className={styles.price}>
      {/* The server's tables of number formats may be of another year than the browser's. */}
      <strong className={styles.amount} suppressHydrationWarning>
        {formatKroner(config.price, i18n.language)}
      </strong>
      <span className="muted">
        {t('landing.pricing_duration', { count: config.service_days })}
        {config.price_includes_vat && ` · ${t('landing.pricing_vat')}`}
      </span>
    </div>
  );
}
