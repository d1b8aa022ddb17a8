import { Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import { identity } from '#lib/session.ts';
import { authErrorText } from '../auth-error.ts';
import { EmulatedGoogleDialog } from './emulated-google-dialog.tsx';
import { GoogleMark } from './google-mark.tsx';
import styles from './google-button.module.css';

export function GoogleButton({ onError }: { onError: (message: string) => void }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const [asking, setAsking] = useState(false);

  async function signIn(withGoogle: () => Promise<unknown>) {
    onError('');
    try {
      await withGoogle();
    } catch (error) {
      onError(t('auth.failed_google', { message: t(`auth.error.${authErrorText(error)}`) }));
    }
  }

  // The popup cannot work against the emulator, which has no Google behind it.
  const usesEmulator = Boolean(config?.identity.emulator_url);
  function start() {
    if (usesEmulator) setAsking(true);
    else void signIn(async () => (await identity()).signInWithGoogle());
  }

  return (
    <>
      <Button variant="secondary" data-color="neutral" className={styles.button} onClick={start}>
        <GoogleMark />
        {t('auth.google')}
      </Button>
      {usesEmulator && (
        <EmulatedGoogleDialog
          open={asking}
          onClose={() => setAsking(false)}
          onEmail={(email) => {
            setAsking(false);
            void signIn(async () => (await identity()).signInWithEmulatedGoogle(email));
          }}
        />
      )}
    </>
  );
}
