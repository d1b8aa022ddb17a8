import { Alert, Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { identity } from '#lib/session.ts';

/** Somebody who is signed in but is no administrator. */
export function Unauthorized({ email }: { email: string }) {
  const { t } = useTranslation();
  const { t: ta } = useTranslation('admin');
  return (
    <>
      <Alert data-color="danger" data-size="sm" role="alert">
        {ta('shell.unauthorized')}
      </Alert>
      <p>{ta('shell.unauthorized_text', { email })}</p>
      <Button onClick={() => void identity().then((provider) => provider.signOut())}>
        {ta('shell.use_another')}
      </Button>
      <ButtonLink to="/quiz" variant="secondary">
        {t('actions.to_quiz_home')}
      </ButtonLink>
    </>
  );
}
