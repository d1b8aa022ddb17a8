import type { AccountResponse } from '@proveklar/contract/account.ts';
import { useTranslation } from 'react-i18next';
import { formatDate } from '#lib/format.ts';

export type Waiting = AccountResponse['waiting_days'];

/** Days that begin later. A gateway of the previous version, during a rolling release, returns none. */
export const waitingOf = (answer: { waiting_days?: Waiting } | undefined): Waiting =>
  answer?.waiting_days ?? [];

/** Paid days that begin later: how many, from when, and why. Renders nothing if there are none. */
export function WaitingDays({ waiting }: { waiting: Waiting }) {
  const { t, i18n } = useTranslation();
  if (waiting.length === 0) return null;
  return (
    <>
      {waiting.map(({ begins_at, days: count }) => (
        <p key={begins_at}>
          {t('account.waiting_text', { count, date: formatDate(begins_at, i18n.language) })}
        </p>
      ))}
      <p>{t('account.waiting_reason')}</p>
    </>
  );
}
