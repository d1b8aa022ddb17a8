import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { nextWanted } from '../../quiz-position.ts';
import type { QuizRunState } from '../../use-quiz-run.ts';

type HandInDialogProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
  open: boolean;
  onClose: () => void;
};

/** Asked only when something is unanswered, or marked to come back to it. */
export function HandInDialog({ run, questions, marked, open, onClose }: HandInDialogProps) {
  const { t } = useTranslation('learner');
  const missing = run.total - run.answered;

  function goTo(isWanted: (question: { uuid: string }) => boolean) {
    onClose();
    // From the first on: whoever goes through what is left begins at the beginning.
    const index = nextWanted(questions, questions.length - 1, isWanted);
    if (index !== undefined) run.goTo(index);
  }

  return (
    <AppDialog open={open} title={t('run.hand_in_title')} onClose={onClose}>
      {missing > 0 && <p>{t('run.hand_in_missing', { count: missing })}</p>}
      {marked.size > 0 && <p>{t('practice.hand_in_marked', { count: marked.size })}</p>}
      <DialogActions>
        {missing > 0 && (
          <Button onClick={() => goTo(({ uuid }) => !run.answers[uuid]?.answer)}>
            {t('run.hand_in_stay')}
          </Button>
        )}
        {marked.size > 0 && (
          <Button
            variant={missing > 0 ? 'secondary' : 'primary'}
            onClick={() => goTo(({ uuid }) => marked.has(uuid))}
          >
            {t('practice.hand_in_to_marked')}
          </Button>
        )}
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
