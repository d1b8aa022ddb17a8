import { Alert } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { settingsQuery } from './api.ts';
import styles from './settings.module.css';

type SellerNoticeProps = {
  /** Shown on another page than the settings, with a link to them. */
  elsewhere?: boolean;
};

/** Says that no live payment is taken as long as the seller is not named in full. Renders nothing otherwise. */
export function SellerNotice({ elsewhere = false }: SellerNoticeProps) {
  const { t } = useTranslation('admin');
  const { data } = useQuery(settingsQuery);
  if (!data || data.price === 0) return null;
  if (data.seller_name && data.seller_organisation_number && data.seller_address) return null;
  return (
    <Alert data-color="warning" data-size="sm">
      <h2 className={styles.notice}>{t('settings.no_seller.title')}</h2>
      <p>{t('settings.no_seller.text')}</p>
      {elsewhere && (
        <Link to="/admin/dashboard/settings" className="ds-link">
          {t('settings.no_seller.link')}
        </Link>
      )}
    </Alert>
  );
}
