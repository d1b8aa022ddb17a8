import { Button, Textfield } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { configQuery } from '#lib/config.ts';
import { readFields } from '#lib/form-values.ts';
import { identity, useSession } from '#lib/session.ts';
import { authErrorText } from './auth-error.ts';
import styles from './auth.module.css';

export function GoogleButton({ onError }: { onError: (message: string) => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const { data: config } = useQuery(configQuery);
  // Undefined until the first use, so that the prerendered page has no dialog.
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

  const isInstalled = useSyncExternalStore(onNoChange, isInstalledOnIos, () => false);

  // With the emulator there is no Google, so the popup cannot work.
  const usesEmulator = Boolean(config?.identity.emulator_url);
  function start() {
    if (usesEmulator) setAsking(true);
    else void signIn(async () => (await identity()).signInWithGoogle());
  }

  if (isInstalled && !usesEmulator) return <p className="muted">{t('auth.google_installed')}</p>;
  return (
    <>
      <BusyButton
        variant="secondary"
        data-color="neutral"
        className={styles.wide}
        busy={busy}
        // Some browsers block a popup that opens more than a second after the click. After a failure, the
        // click loads the session and shows what is wrong.
        resting={session.status === 'loading' && !session.failed}
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

const onNoChange = () => () => {};

/** An app on the home screen of iOS opens Google's window in another browser, which never reports back. */
function isInstalledOnIos(): boolean {
  return 'standalone' in navigator && navigator.standalone === true;
}

type EmulatedGoogleDialogProps = {
  open: boolean;
  onClose: () => void;
  onEmail: (email: string) => void;
};

/** Replaces Google's account chooser with the identity emulator. */
function EmulatedGoogleDialog({ open, onClose, onEmail }: EmulatedGoogleDialogProps) {
  const { t } = useTranslation();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['google_email']);
    if (missing.length === 0) onEmail(values.google_email);
  }

  return (
    <AppDialog open={open} onClose={onClose} title={t('auth.emulated_google_title')}>
      <p>{t('auth.emulated_google_text')}</p>
      <form onSubmit={submit}>
        <Textfield label={t('fields.email')} name="google_email" type="email" required />
        <Button type="submit">{t('auth.emulated_google_continue')}</Button>
      </form>
    </AppDialog>
  );
}

/** Google's logo, which its terms require on sign-in buttons. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" aria-hidden="true">
      <path
        fill="#EA4335"
        d="M24 9.5c3.5 0 6.7 1.2 9.2 3.6l6.9-6.9C35.9 2.4 30.5 0 24 0 14.6 0 6.5 5.4 2.6 13.2l8 6.2C12.4 13.7 17.7 9.5 24 9.5z"
      />
      <path
        fill="#4285F4"
        d="M47 24.6c0-1.6-.1-3.1-.4-4.6H24v9h12.9c-.6 3-2.2 5.5-4.7 7.2l7.7 6C44.4 38 47 31.8 47 24.6z"
      />
      <path
        fill="#FBBC05"
        d="M10.5 28.6c-.5-1.5-.8-3-.8-4.6s.3-3.1.8-4.6l-8-6.2C.9 16.5 0 20.1 0 24s.9 7.5 2.6 10.8l7.9-6.2z"
      />
      <path
        fill="#34A853"
        d="M24 48c6.5 0 11.9-2.1 15.9-5.8l-7.7-6c-2.2 1.5-5 2.3-8.2 2.3-6.3 0-11.6-4.2-13.5-9.9l-8 6.2C6.5 42.6 14.6 48 24 48z"
      />
    </svg>
  );
}
