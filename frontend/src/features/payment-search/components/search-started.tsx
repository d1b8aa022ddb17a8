import { Alert, Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import styles from './payment-search.module.css';

type SearchStartedProps = { email: string; onOther: () => void };

/** The same for every address: nobody learns here who is registered. */
export function SearchStarted({ email, onOther }: SearchStartedProps) {
  const { t } = useTranslation('purchase');
  const { data: config } = useQuery(configQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone; with the focus the news is read aloud.
  useEffect(() => heading.current?.focus(), []);
  const support = config?.support_email;
  return (
    <>
      <Alert data-color="success">
        <h2 ref={heading} tabIndex={-1} className={styles.started}>
          {t('payment_search.started_title')}
        </h2>
        <p className={styles.text}>{t('payment_search.started_text', { email })}</p>
      </Alert>
      <p>{t('payment_search.started_wait')}</p>
      {support && (
        <p>
          {t('payment_search.contact')}{' '}
          <a className="ds-link" href={`mailto:${support}`}>
            {support}
          </a>
        </p>
      )}
      <Button variant="secondary" onClick={onOther}>
        {t('payment_search.other_address')}
      </Button>
    </>
  );
}
