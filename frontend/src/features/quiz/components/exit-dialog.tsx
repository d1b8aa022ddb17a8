import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';

type ExitDialogProps = {
  open: boolean;
  answered: number;
  total: number;
  busy: boolean;
  onExit: () => void;
  onClose: () => void;
};

/** Asked before a quiz is given up in which something was answered. */
export function ExitDialog({ open, answered, total, busy, onExit, onClose }: ExitDialogProps) {
  const { t } = useTranslation('learner');
  return (
    <AppDialog open={open} title={t('run.exit_title')} onClose={onClose}>
      <p>{t('run.exit_text', { n: answered, total })}</p>
      <DialogActions>
        <Button data-color="danger" loading={busy} disabled={busy} onClick={onExit}>
          {t('run.exit_confirm')}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {t('run.exit_stay')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
