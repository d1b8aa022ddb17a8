import { Alert } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import styles from './reset-link-sent.module.css';

type ResetLinkSentProps = { email: string; busy: boolean; onSendAgain: () => void };

export function ResetLinkSent({ email, busy, onSendAgain }: ResetLinkSentProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone; with the focus the news is read aloud.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <Alert data-color="success">
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {t('auth.reset_sent_title')}
        </h2>
        <p>{t('auth.reset_sent_text', { email })}</p>
      </Alert>
      <div className={styles.again}>
        <p>{t('auth.reset_again')}</p>
        <BusyButton variant="secondary" busy={busy} onClick={onSendAgain}>
          {t('auth.reset_resend')}
        </BusyButton>
      </div>
    </>
  );
}
