import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { FormCard } from '#components/form-card.tsx';
import { configQuery } from '#lib/config.ts';
import { accountQuery } from '../api.ts';
import { daysTone } from '../days-tone.ts';
import { AccountDetails } from './account-details.tsx';

type AccountPanelProps = {
  /** Who one is, with the ways to change it; it takes the place of what is only shown. */
  profile?: ReactNode;
  /** What stands above the way to pay. */
  notices?: ReactNode;
  /** Access will come back by itself, or so it may: then paying is not the first thing to do. */
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
