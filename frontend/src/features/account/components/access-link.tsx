import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { configQuery } from '#lib/config.ts';
import { accountQuery } from '../api.ts';
import { daysTone } from '../days-tone.ts';

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
