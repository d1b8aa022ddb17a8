import '#theme/components.css';
import { Alert, Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { firstPage } from '#components/admin/role.ts';
import { accountQuery } from '#features/account/api.ts';
import { GoogleButton } from '#features/auth/google-button.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { identity, useSession } from '#lib/session.ts';

/** /admin: signs in who works in the portal, and tells other signed-in users that they do not. */
export function AdminSignInRoute() {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <Page title={t('footer.admin')} width="form">
      <FormCard>
        <h1>{t('footer.admin')}</h1>
        {session.status === 'signed-in' ? <WhoIsIt email={session.user.email} /> : <SignIn />}
      </FormCard>
    </Page>
  );
}

function SignIn() {
  const { t } = useTranslation('admin');
  const [message, setMessage] = useState('');
  return (
    <>
      <p>{t('shell.sign_in_text')}</p>
      <GoogleButton onError={setMessage} />
      <FormAlert>{message}</FormAlert>
    </>
  );
}

/** Only the server knows who works in the portal. */
function WhoIsIt({ email }: { email: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { redirect = firstPage } = useSearch({ from: '/identified/admin/' });
  const account = useQuery(accountQuery);

  if (account.isPending) return <SkeletonLines label={t('app.loading')} lines={3} />;
  if (account.isError) {
    return (
      <RetryAlert
        title={t('auth.failed_log_in')}
        busy={account.isFetching}
        onRetry={() => void account.refetch()}
      >
        {errorText(account.error)}
      </RetryAlert>
    );
  }
  return account.data.role ? <Navigate to={redirect} replace /> : <Unauthorized email={email} />;
}

/** Shown to a signed-in user without a role in the portal. */
function Unauthorized({ email }: { email: string }) {
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
