import '#theme/components.css';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { ResetPasswordForm, SignInForm } from '#features/auth/sign-in.tsx';
import { useSession } from '#lib/session.ts';
import { useIdentityAfterwards } from '../identified.ts';
import styles from '../sign-in-or-register.module.css';

export function LoginRoute() {
  useIdentityAfterwards();
  const { t } = useTranslation();
  const search = useSearch({ from: '/identified/login' });
  const session = useSession();
  if (session.status === 'signed-in') return <Navigate to={search.redirect ?? '/quiz'} replace />;

  const resetting = search.mode === 'reset';
  const title = t(resetting ? 'auth.reset_title' : 'auth.login_title');
  return (
    <Page title={title} width="form">
      <FormCard>
        <h1>{title}</h1>
        {resetting ? <ResetPasswordForm /> : <SignInForm />}
        {!resetting && (
          <p className={styles.register}>
            {t('auth.no_account')}{' '}
            <Link to="/quiz" search={{ mode: 'register' }} className="ds-link">
              {t('auth.to_register')}
            </Link>
          </p>
        )}
      </FormCard>
    </Page>
  );
}
