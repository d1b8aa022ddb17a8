import { EnvelopeClosedIcon } from '@navikt/aksel-icons';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { configQuery } from '#lib/config.ts';
import styles from './contact-panel.module.css';

export function ContactPanel() {
  const { t } = useTranslation();
  const { data: config, isError, refetch } = useQuery(configQuery);
  return (
    <div className={styles.panel}>
      <h2>{t('contact.title')}</h2>
      <p>{t('contact.text')}</p>
      {isError && <RetryAlert onRetry={() => void refetch()}>{t('error.load')}</RetryAlert>}
      {config && (
        <a className={`ds-link ${styles.address}`} href={`mailto:${config.support_email}`}>
          <EnvelopeClosedIcon aria-hidden />
          <span>{config.support_email}</span>
        </a>
      )}
    </div>
  );
}
