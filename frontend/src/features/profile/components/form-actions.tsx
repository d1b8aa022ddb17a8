import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import styles from './form-actions.module.css';

type FormActionsProps = { submit: string; busy: boolean; onCancel: () => void };

/** The buttons below a small form. */
export function FormActions({ submit, busy, onCancel }: FormActionsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.actions}>
      <BusyButton type="submit" busy={busy}>
        {submit}
      </BusyButton>
      <Button variant="tertiary" onClick={onCancel}>
        {t('actions.cancel')}
      </Button>
    </div>
  );
}
