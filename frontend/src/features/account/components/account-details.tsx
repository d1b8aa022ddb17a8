import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DefinitionList } from '#components/definition-list.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { formatDate, formatTime } from '#lib/format.ts';
import { waitingOf } from '#lib/waiting-of.ts';
import { accessEnd } from '../access-end.ts';
import { accountQuery } from '../api.ts';
import { DaysTag } from './days-tag.tsx';

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
