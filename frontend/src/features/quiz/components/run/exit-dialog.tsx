import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import type { QuizRunState } from '../../run/use-quiz-run.ts';

type ExitDialogProps = { run: QuizRunState; open: boolean; onClose: () => void };

export function ExitDialog({ run, open, onClose }: ExitDialogProps) {
  const { t } = useTranslation();
  return (
    <AppDialog open={open} title={t('run.exit_title')} onClose={onClose}>
      <p>{t('run.exit_text', { n: run.answered, total: run.total })}</p>
      <DialogActions>
        <Button
          data-color="danger"
          loading={run.cancel.isPending}
          disabled={run.cancel.isPending}
          onClick={() => run.cancel.mutate(undefined, { onError: onClose })}
        >
          {t('run.exit_confirm')}
        </Button>
        <Button variant="secondary" onClick={onClose}>
          {t('run.exit_stay')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
