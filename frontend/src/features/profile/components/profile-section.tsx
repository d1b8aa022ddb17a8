import type { AccountResponse } from '@proveklar/contract/account.ts';
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

/** Who a learner is, and the ways to change it. */
export function ProfileSection({ user, account, onAccount, onStale }: ProfileSectionProps) {
  return (
    <div className={styles.section}>
      <NameRow name={account.display_name} onAccount={onAccount} onStale={onStale} />
      <EmailRow user={user} email={account.email} onStale={onStale} />
      <PasswordRow hasPassword={user.hasPassword} />
    </div>
  );
}
