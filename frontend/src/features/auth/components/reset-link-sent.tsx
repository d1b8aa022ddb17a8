import { Alert } from '@digdir/designsystemet-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import styles from './reset-link-sent.module.css';

type ResetLinkSentProps = { email: string; busy: boolean; onSendAgain: () => Promise<boolean> };

/** A mail takes a moment: so many milliseconds one should wait before asking again. */
const REST = 10_000;

export function ResetLinkSent({ email, busy, onSendAgain }: ResetLinkSentProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone; with the focus the news is read aloud.
  useEffect(() => heading.current?.focus(), []);
  const [sentAgain, setSentAgain] = useState(false);
  const [resting, setResting] = useState(false);
  useEffect(() => {
    if (!resting) return undefined;
    const timer = setTimeout(() => setResting(false), REST);
    return () => clearTimeout(timer);
  }, [resting]);

  async function sendAgain() {
    setSentAgain(false);
    if (!(await onSendAgain())) return;
    setSentAgain(true);
    setResting(true);
  }

  return (
    <>
      <Alert data-color="success">
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {t('auth.reset_sent_title')}
        </h2>
        <p className={styles.text}>{t('auth.reset_sent_text', { email })}</p>
      </Alert>
      <div className={styles.again}>
        <p>{t('auth.reset_again')}</p>
        <BusyButton
          variant="secondary"
          busy={busy}
          resting={resting}
          onClick={() => void sendAgain()}
        >
          {t('auth.reset_resend')}
        </BusyButton>
        <p role="status">{sentAgain && t('auth.reset_sent_again')}</p>
      </div>
    </>
  );
}
