import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { identity } from '#lib/session.ts';

export function SignOutButton() {
  const { t } = useTranslation();
  return (
    <Button
      variant="tertiary"
      onClick={() => void identity().then((provider) => provider.signOut())}
    >
      {t('actions.sign_out')}
    </Button>
  );
}
