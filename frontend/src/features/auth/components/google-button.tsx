import { Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery } from '#lib/config.ts';
import { identity } from '#lib/session.ts';
import { useHydrated } from '#lib/use-hydrated.ts';
import { authErrorText } from '../auth-error.ts';
import { EmulatedGoogleDialog } from './emulated-google-dialog.tsx';
import { GoogleMark } from './google-mark.tsx';
import styles from './google-button.module.css';

export function GoogleButton({ onError }: { onError: (message: string) => void }) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const { data: config } = useQuery(configQuery);
  // Undefined until it was asked once: the page is sent without the dialog.
  const [asking, setAsking] = useState<boolean>();

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
      <Button
        variant="secondary"
        data-color="neutral"
        className={styles.button}
        aria-disabled={!hydrated || undefined}
        onClick={start}
      >
        <GoogleMark />
        {t('auth.google')}
      </Button>
      {asking !== undefined && (
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
