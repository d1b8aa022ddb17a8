import { useTranslation } from 'react-i18next';

/** To the page that looks for a payment. In another tab: this one may still get there by itself. */
export function PaidLink() {
  const { t } = useTranslation('purchase');
  return (
    <p>
      <a className="ds-link" href="/betalt" target="_blank" rel="noreferrer">
        {t('payment.paid_link')}
      </a>
    </p>
  );
}
