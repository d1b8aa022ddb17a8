import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { WaitingDays } from '#components/waiting-days.tsx';
import { configQuery } from '#lib/config.ts';
import { waitingOf } from '#lib/waiting-of.ts';
import { accountQuery } from '../api.ts';
import { daysTone } from '../days-tone.ts';
import styles from './account-summary.module.css';
import { DaysTag } from './days-tag.tsx';

const texts = {
  warning: 'warning',
  critical: 'warning',
  expired: 'expired_text',
  none: 'no_access_text',
} as const;

type AccountSummaryProps = {
  /** What is said in the place of the usual sentence when access has ended. */
  expiredText?: ReactNode;
  /** Where the account itself stands below, with the way to pay. */
  brief?: boolean;
};

/** How long one may go on, and the way to extend it. On the home screen, so it never blocks it. */
export function AccountSummary({ expiredText, brief = false }: AccountSummaryProps) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const { data, isPending, isError } = useQuery(accountQuery);
  if (isError) return null;
  if (isPending) {
    return (
      <div className={styles.summary}>
        <span className="ds-skeleton" style={{ width: '9rem', height: '2rem' }} />
      </div>
    );
  }
  if (config?.price === 0) {
    return <p className={styles.summary}>{t('account.free_text')}</p>;
  }
  const tone = daysTone(data);
  const hasAccess = tone !== 'none' && tone !== 'expired';
  const waiting = waitingOf(data);
  const waits = waiting.length > 0;
  return (
    <div className={styles.summary} data-tone={tone}>
      <DaysTag service={data} />
      {!hasAccess && waits && (
        <div className={styles.text}>
          <WaitingDays waiting={waiting} />
        </div>
      )}
      {tone !== 'ok' && (hasAccess || !waits) && (
        <p className={styles.text}>
          {(tone === 'expired' && expiredText) || t(`account.${texts[tone]}`)}
        </p>
      )}
      {!brief && (
        <ButtonLink
          to="/quiz/billing"
          variant={tone === 'ok' ? 'tertiary' : 'secondary'}
          data-size="sm"
        >
          {t(tone === 'none' ? 'account.get_access' : 'account.extend')}
        </ButtonLink>
      )}
    </div>
  );
}
