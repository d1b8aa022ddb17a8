import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import type { QuizRunState } from '../../run/use-quiz-run.ts';

type HandInDialogProps = { run: QuizRunState; open: boolean; onClose: () => void };

/** Asked only when something is unanswered. */
export function HandInDialog({ run, open, onClose }: HandInDialogProps) {
  const { t } = useTranslation('learner');
  return (
    <AppDialog open={open} title={t('run.hand_in_title')} onClose={onClose}>
      <p>{t('run.hand_in_missing', { count: run.total - run.answered })}</p>
      <DialogActions>
        <Button
          onClick={() => {
            onClose();
            run.goToUnanswered();
          }}
        >
          {t('run.hand_in_stay')}
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            onClose();
            void run.finish();
          }}
        >
          {t('run.hand_in')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
