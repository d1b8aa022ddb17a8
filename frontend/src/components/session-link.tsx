import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { onSignedInHint, seemsSignedIn } from '#lib/signed-in-hint.ts';
import { ButtonLink } from './button-link.tsx';
import styles from './session-link.module.css';

/** The way in, or to the overview for who is in already, on pages without the identity code. */
export function SessionLink() {
  const { t } = useTranslation();
  // The gateway's page is for everybody: what this browser knows is shown once it is hydrated.
  const signedIn = useSyncExternalStore(onSignedInHint, seemsSignedIn, () => false);
  return (
    <ButtonLink to={signedIn ? '/quiz' : '/login'} variant="tertiary" className={styles.link}>
      {t(signedIn ? 'actions.to_quiz_home' : 'actions.sign_in')}
    </ButtonLink>
  );
}
