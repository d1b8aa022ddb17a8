import type { AccountResponse } from '@proveklar/contract/account.ts';
import { Tag } from '@digdir/designsystemet-react';
import {
  ClockDashedIcon,
  ExclamationmarkTriangleIcon,
  XMarkOctagonIcon,
} from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { formatTime } from '#lib/format.ts';
import { accessEnd } from '../access-end.ts';
import { daysTone } from '../days-tone.ts';
import styles from './days-tag.module.css';

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
