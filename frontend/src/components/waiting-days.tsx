import type { AccountResponse } from '@proveklar/contract/account.ts';
import { useTranslation } from 'react-i18next';
import { formatDate } from '#lib/format.ts';

export type Waiting = AccountResponse['waiting_days'];

/** Days that begin later; none from a gateway of the version before, while gateways are replaced. */
export const waitingOf = (answer: { waiting_days?: Waiting } | undefined): Waiting =>
  answer?.waiting_days ?? [];

/** Days that are paid for and begin later: how many, from when, and why. Nothing where none wait. */
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
