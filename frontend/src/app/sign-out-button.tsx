import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { forgetEmailChange } from '#lib/email-change.ts';
import { identity } from '#lib/session.ts';

export function SignOutButton() {
  const { t } = useTranslation();
  async function signOut() {
    forgetEmailChange();
    await (await identity()).signOut();
  }
  return (
    <Button variant="tertiary" onClick={() => void signOut()}>
      {t('actions.sign_out')}
    </Button>
  );
}
