import { Tag } from '@digdir/designsystemet-react';
import {
  ClockDashedIcon,
  ExclamationmarkTriangleIcon,
  XMarkOctagonIcon,
} from '@navikt/aksel-icons';
import type { AccountResponse } from '@proveklar/contract/account.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { FormCard } from '#components/form-card.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { WaitingDays } from '#components/waiting-days.tsx';
import { configQuery } from '#lib/config.ts';
import { formatDate, formatTime } from '#lib/format.ts';
import { waitingOf } from '#lib/waiting-of.ts';
import styles from './account.module.css';
import { accountQuery } from './api.ts';
import { accessEnd, daysTone } from './days-tone.ts';

type AccountPanelProps = {
  /** Who one is, with the ways to change it; it takes the place of what is only shown. */
  profile?: ReactNode;
  /** What stands above the way to pay. */
  notices?: ReactNode;
  /** Access is expected to come back without a payment: then paying is not the first thing to do. */
  onHold?: boolean;
};

/** The account tab: what one has, and the way to more of it unless it costs nothing now. */
export function AccountPanel({ profile, notices, onHold = false }: AccountPanelProps) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const { data } = useQuery(accountQuery);
  const isNew = data && daysTone(data) === 'none';
  return (
    <FormCard>
      <h2>{t('account.title')}</h2>
      {profile}
      <AccountDetails isOwnedAbove={Boolean(profile)} />
      {notices}
      {config?.price === 0 ? (
        <p>{t('account.free_text')}</p>
      ) : (
        <ButtonLink to="/quiz/billing" variant={onHold ? 'secondary' : 'primary'}>
          {t(isNew ? 'account.get_access' : 'account.extend')}
        </ButtonLink>
      )}
    </FormCard>
  );
}

type AccountDetailsProps = {
  /** Leaves out what the billing screen has no use for. */
  brief?: boolean;
  /** Leaves out what stands above with the way to change it. */
  isOwnedAbove?: boolean;
};

export function AccountDetails({ brief = false, isOwnedAbove = false }: AccountDetailsProps) {
  const { t, i18n } = useTranslation();
  const { data, isPending, isError, refetch } = useQuery(accountQuery);
  if (isPending) return <SkeletonLines label={t('app.loading')} lines={5} />;
  if (isError) {
    return <RetryAlert onRetry={() => void refetch()}>{t('account.load_failed')}</RetryAlert>;
  }
  const { account } = data;
  const date = (iso: string) => formatDate(iso, i18n.language);
  const expires = account.service_expires_at;
  const ends = accessEnd(data);
  const endOf = (iso: string) =>
    ends ? t(`account.ends_${ends}`, { time: formatTime(iso, i18n.language) }) : date(iso);
  const name = {
    label: t('account.display_name'),
    value: data.display_name ?? t('account.not_set'),
  };
  const waiting = waitingOf(data).map(({ begins_at, days: count }) => ({
    label: t('account.waiting'),
    value: t('account.waiting_from', { count, date: date(begins_at) }),
  }));
  const status = {
    label: t('account.status'),
    value: t(account.is_active ? 'account.active' : 'account.inactive'),
  };
  const rows = [
    ...(isOwnedAbove ? [] : [{ label: t('account.email'), value: data.email }]),
    ...(brief || isOwnedAbove ? [] : [name]),
    { label: t('account.registered'), value: date(account.registered_at) },
    { label: t('account.expires'), value: expires ? endOf(expires) : t('account.not_set') },
    { label: t('account.days_remaining'), value: <DaysTag service={data} bare /> },
    ...waiting,
    ...(brief ? [] : [status]),
  ];
  return <DefinitionList rows={rows} />;
}

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

const looks = {
  ok: { color: 'success', Icon: ClockDashedIcon },
  warning: { color: 'warning', Icon: ExclamationmarkTriangleIcon },
  critical: { color: 'danger', Icon: ExclamationmarkTriangleIcon },
  expired: { color: 'danger', Icon: XMarkOctagonIcon },
  none: { color: 'neutral', Icon: ClockDashedIcon },
} as const;

/**
 * `bare`: the number alone, for where a label says already what it is. There, never having had service
 * reads as expired, as specified.
 */
function DaysTag({ service, bare = false }: { service: AccountResponse; bare?: boolean }) {
  const { t, i18n } = useTranslation();
  const tone = daysTone(service);
  const { color, Icon } = looks[tone];
  const ends = bare ? null : accessEnd(service);
  const expires = service.account.service_expires_at;
  return (
    <Tag data-color={color} className={styles.tag} data-tone={tone}>
      <Icon aria-hidden />
      {(tone === 'expired' || (bare && tone === 'none')) && t('account.expired')}
      {tone === 'none' && !bare && t('account.no_access')}
      {ends !== null &&
        expires !== null &&
        t(`account.ends_${ends}`, { time: formatTime(expires, i18n.language) })}
      {(tone === 'ok' || tone === 'warning' || tone === 'critical') &&
        ends === null &&
        (bare ? service.days_remaining : t('account.days_left', { count: service.days_remaining }))}
    </Tag>
  );
}

/** Whether this account has to pay before it may start anything; false while it is not known. */
export function useNeedsAccess(): boolean {
  const { data: config } = useQuery(configQuery);
  const { data: service } = useQuery(accountQuery);
  return Boolean(config && config.price > 0 && service && service.days_remaining <= 0);
}

/** The way to access, in words, where a button would only be refused. */
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
