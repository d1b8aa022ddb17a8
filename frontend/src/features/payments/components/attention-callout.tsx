import { Alert } from '@digdir/designsystemet-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paymentsQuery } from '../api.ts';
import styles from './payments.module.css';

const MOST_SHOWN = 5;

/** The payments that a person must look at, each with what to do. Nothing when there is none. */
export function AttentionCallout({ count }: { count: number }) {
  const { t } = useTranslation('admin');
  const { data } = useInfiniteQuery({ ...paymentsQuery({ attention: true }), enabled: count > 0 });
  if (count === 0) return null;
  const payments = data?.pages[0]?.payments ?? [];
  return (
    <Alert data-color="warning" data-size="sm">
      <div className={styles.callout}>
        <h2 className={styles.heading}>{t('payments.attention_title', { count })}</h2>
        <ul className={styles.todo}>
          {payments.slice(0, MOST_SHOWN).map(({ id, email, attention }) => (
            <li key={id}>
              <Link to="/admin/dashboard/payments/$id" params={{ id }} className="ds-link">
                {email ?? t('payments.deleted')}
              </Link>{' '}
              {attention && t(`payments.attention.${attention}`)}
            </li>
          ))}
        </ul>
        {count > MOST_SHOWN && (
          <Link to="/admin/dashboard/payments" search={{ attention: true }} className="ds-link">
            {t('payments.attention_all', { count })}
          </Link>
        )}
      </div>
    </Alert>
  );
}
