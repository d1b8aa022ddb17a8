import { Alert } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';

/** On the sign-in page: the new address to sign in with, after a change. */
export function EmailChangedNotice({ email }: { email: string }) {
  const { t } = useTranslation('learner');
  return (
    <Alert data-color="info" data-size="sm" role="status">
      <p>{t('profile.email.sign_in_again', { email })}</p>
    </Alert>
  );
}
