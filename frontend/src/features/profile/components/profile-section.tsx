import type { AccountResponse } from '@proveklar/gateway/contract/account.ts';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/form-card.tsx';
import type { SignedInUser } from '#lib/signed-in-user.ts';
import { EmailRow } from './email-row.tsx';
import { NameRow } from './name-row.tsx';
import { PasswordRow } from './password-row.tsx';
import styles from './section.module.css';

type ProfileSectionProps = {
  user: SignedInUser;
  account: AccountResponse;
  onAccount: (account: AccountResponse) => void;
  onStale: () => void;
};

/** What a learner may change of themselves. */
export function ProfileSection({ user, account, onAccount, onStale }: ProfileSectionProps) {
  const { t } = useTranslation('learner');
  return (
    <FormCard>
      <div className={styles.section}>
        <h2>{t('profile.title')}</h2>
        <NameRow name={account.display_name} onAccount={onAccount} onStale={onStale} />
        <EmailRow user={user} email={account.email} onStale={onStale} />
        <PasswordRow hasPassword={user.hasPassword} />
      </div>
    </FormCard>
  );
}
