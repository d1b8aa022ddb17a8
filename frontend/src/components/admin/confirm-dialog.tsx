import { Button } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button does, such as "Delete the user"; never "OK". */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
  busy: boolean;
  /** What went wrong; the dialog stays open and can be confirmed again. */
  error?: string;
  tone?: 'danger' | 'primary';
};

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, action, onConfirm, onClose, busy, error = '' } = props;
  const { t } = useTranslation();
  return (
    <AppDialog open={open} onClose={onClose} title={title}>
      {children}
      <FormAlert>{error}</FormAlert>
      <DialogActions>
        <BusyButton data-color={props.tone ?? 'danger'} busy={busy} onClick={onConfirm}>
          {action}
        </BusyButton>
        <Button variant="secondary" onClick={onClose}>
          {t('actions.cancel')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
