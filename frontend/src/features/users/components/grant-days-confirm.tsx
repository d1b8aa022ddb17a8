import { Button } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import styles from './grant-days.module.css';

type GrantDaysConfirmProps = {
  question: string;
  action: string;
  busy: boolean;
  error: string;
  onConfirm: () => void;
  onBack: () => void;
};

/** The second step: what was written is said again before it is done. */
export function GrantDaysConfirm(props: GrantDaysConfirmProps) {
  const { question, action, busy, error, onConfirm, onBack } = props;
  const { t } = useTranslation('admin');
  // The button that had the focus is gone.
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <div className={styles.form}>
      <p ref={said} tabIndex={-1}>
        {question}
      </p>
      <FormAlert>{error}</FormAlert>
      <DialogActions>
        <BusyButton
          busy={busy}
          onClick={({ detail }) => {
            // The second click of two on the first step's button.
            if (detail < 2) onConfirm();
          }}
        >
          {action}
        </BusyButton>
        <Button type="button" variant="secondary" onClick={onBack}>
          {t('users.grant.back')}
        </Button>
      </DialogActions>
    </div>
  );
}
