import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { FormCard } from '#components/layout.tsx';
import { WaitingDays, waitingOf } from '#components/waiting-days.tsx';
import { configQuery } from '#lib/config.ts';
import { AccountDetails, DaysTag } from './account-details.tsx';
import styles from './account.module.css';
import { accountQuery } from './api.ts';
import { daysTone } from './days-tone.ts';

type AccountPanelProps = {
  /** The editable profile, in place of the plain details. */
  profile?: ReactNode;
  /** Shown above the payment button. */
  notices?: ReactNode;
  /** Access may return without a payment, so paying is not the main action. */
  onHold?: boolean;
};

/** The account tab: the account, and the button to buy days unless access is free. */
export function AccountPanel({ profile, notices, onHold = false }: AccountPanelProps) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const { data } = useQuery(accountQuery);
  const tone = data && daysTone(data);
  return (
    <FormCard>
      <h2>{t('account.title')}</h2>
      {profile}
      <AccountDetails isOwnedAbove={Boolean(profile)} />
      {notices}
      {config?.price === 0 ? (
        <p>{t('account.free_text')}</p>
      ) : (
        // No hurry before the last week.
        <ButtonLink to="/quiz/billing" variant={onHold || tone === 'ok' ? 'secondary' : 'primary'}>
          {t(tone === 'none' ? 'account.get_access' : 'account.extend')}
        </ButtonLink>
      )}
    </FormCard>
  );
}

const texts = {
  warning: 'warning',
  critical: 'warning',
  expired: 'expired_text',
  none: 'no_access_text',
} as const;

type AccountSummaryProps = {
  /** Replaces the usual sentence when access has ended. */
  expiredText?: ReactNode;
  /** Set if the account itself is shown below, with the payment button. */
  brief?: boolean;
};

/**
 * The days left, with a link to extend them, in the last seven days and afterwards: before, the account tab
 * says it. An error here must not block the home.
 */
export function AccountSummary({ expiredText, brief = false }: AccountSummaryProps) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const { data } = useQuery(accountQuery);
  if (!data || config?.price === 0) return null;
  const tone = daysTone(data);
  if (tone === 'ok') return null;
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
      {(hasAccess || !waits) && (
        <p className={styles.text}>
          {(tone === 'expired' && expiredText) || t(`account.${texts[tone]}`)}
        </p>
      )}
      {!brief && (
        <ButtonLink
          to="/quiz/billing"
          variant={hasAccess || waits ? 'secondary' : 'primary'}
          data-size="sm"
        >
          {t(tone === 'none' ? 'account.get_access' : 'account.extend')}
        </ButtonLink>
      )}
    </div>
  );
}

/** Whether this account must pay before it may start a quiz; false while unknown. */
export function useNeedsAccess(): boolean {
  const { data: config } = useQuery(configQuery);
  const { data: service } = useQuery(accountQuery);
  return Boolean(config && config.price > 0 && service && service.days_remaining <= 0);
}

/** A link to buy access, in place of a start button that would be refused. */
export function AccessLink() {
  const { t } = useTranslation();
  const { data: service } = useQuery(accountQuery);
  const isNew = service && daysTone(service) === 'none';
  return (
    <ButtonLink to="/quiz/billing" variant="secondary">
      {t(isNew ? 'account.get_access' : 'account.extend')}
    </ButtonLink>
  );
}
