import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { GoogleInstead, ResetPasswordForm, SignInForm } from '#features/auth/sign-in.tsx';
import { RegistrationFlow } from '#features/registration/registration-flow.tsx';
import { configQuery } from '#lib/config.ts';
import { formatKroner } from '#lib/format.ts';
import styles from './sign-in-or-register.module.css';

// The two links differ only in their search: without this, both would count as the current page. Other
// search values, such as a language, would make neither count as current: hence `aria-current`.
const exactly = { exact: true, includeSearch: true };

/** /quiz for a visitor who is not signed in: sign in (default) or create an account. */
export function SignInOrRegister() {
  const { t } = useTranslation();
  const { mode } = useSearch({ from: '/identified/quiz' });
  const [underway, setUnderway] = useState(false);
  const { data: config } = useQuery(configQuery);

  if (mode === 'reset') {
    return (
      <Page title={t('auth.reset_title')} width="form">
        <FormCard>
          <h1>{t('auth.reset_title')}</h1>
          <ResetPasswordForm />
        </FormCard>
      </Page>
    );
  }
  const registering = mode === 'register';
  return (
    <Page title={t(registering ? 'auth.create_account' : 'auth.sign_in')} width="form">
      <FormCard>
        {!(registering && underway) && (
          <>
            <div className={styles.intro}>
              <h1>{t(registering ? 'auth.create_account' : 'auth.welcome_title')}</h1>
              {registering ? <RegisterText /> : <p>{t('auth.welcome_text')}</p>}
            </div>
            <nav aria-label={t('auth.toggle')} className={styles.toggle}>
              <Link
                to="/quiz"
                activeOptions={exactly}
                aria-current={registering ? undefined : 'page'}
                replace
              >
                {t('auth.sign_in')}
              </Link>
              <Link
                to="/quiz"
                search={{ mode: 'register' }}
                activeOptions={exactly}
                aria-current={registering ? 'page' : undefined}
                replace
              >
                {t('auth.create_account')}
              </Link>
            </nav>
          </>
        )}
        {registering ? <RegistrationFlow onUnderway={setUnderway} /> : <SignInForm />}
        {registering && !underway && config && <GoogleInstead isPaid={config.price > 0} />}
      </FormCard>
    </Page>
  );
}

/** What happens after the form, so that the price surprises no one. */
function RegisterText() {
  const { t, i18n } = useTranslation();
  const { data: config } = useQuery(configQuery);
  if (!config) return null;
  const { price, service_days: count } = config;
  return (
    <p>
      {price === 0
        ? t('auth.register_text_free')
        : t('auth.register_text', { price: formatKroner(price, i18n.language), count })}
    </p>
  );
}
