import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { configQuery } from '#lib/config.ts';
import { identity, useSession } from '#lib/session.ts';
import { authErrorText } from '../auth-error.ts';
import { EmulatedGoogleDialog } from './emulated-google-dialog.tsx';
import { GoogleMark } from './google-mark.tsx';
import styles from './google-button.module.css';

export function GoogleButton({ onError }: { onError: (message: string) => void }) {
  const { t } = useTranslation();
  const { status } = useSession();
  const [busy, setBusy] = useState(false);
  const { data: config } = useQuery(configQuery);
  // Undefined until it was asked once: the page is sent without the dialog.
  const [asking, setAsking] = useState<boolean>();

  async function signIn(withGoogle: () => Promise<unknown>) {
    onError('');
    setBusy(true);
    try {
      await withGoogle();
    } catch (error) {
      onError(t('auth.failed_google', { message: t(`auth.error.${authErrorText(error)}`) }));
    } finally {
      setBusy(false);
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
      <BusyButton
        variant="secondary"
        data-color="neutral"
        className={styles.button}
        busy={busy}
        // A window that opens later than a second after the press is blocked by some browsers.
        resting={status === 'loading'}
        onClick={start}
      >
        {!busy && <GoogleMark />}
        {t('auth.google')}
      </BusyButton>
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
