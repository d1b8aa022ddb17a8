import { Tag } from '@digdir/designsystemet-react';
import {
  ClockDashedIcon,
  ExclamationmarkTriangleIcon,
  XMarkOctagonIcon,
} from '@navikt/aksel-icons';
import type { AccountResponse } from '@proveklar/contract/account.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DefinitionList } from '#components/definition-list.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { waitingOf } from '#components/waiting-days.tsx';
import { formatDate, formatTime } from '#lib/format.ts';
import styles from './account.module.css';
import { accountQuery } from './api.ts';
import { accessEnd, daysTone } from './days-tone.ts';

type AccountDetailsProps = {
  /** Leaves out what the billing page does not need. */
  brief?: boolean;
  /** Leaves out the profile, which is shown above with buttons to change it. */
  isOwnedAbove?: boolean;
};

export function AccountDetails({ brief = false, isOwnedAbove = false }: AccountDetailsProps) {
  const { t, i18n } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(accountQuery);
  const failure = error && (
    <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
      {t('account.load_failed')}
    </RetryAlert>
  );
  if (!data) return failure ?? <SkeletonLines label={t('app.loading')} lines={5} />;
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
  return (
    <>
      {failure}
      <DefinitionList rows={rows} />
    </>
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
 * `bare`: the number alone, next to a label. As specified, an account that never had access is shown as
 * expired there.
 */
export function DaysTag({ service, bare = false }: { service: AccountResponse; bare?: boolean }) {
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
