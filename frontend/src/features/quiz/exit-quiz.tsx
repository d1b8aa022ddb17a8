import { Button } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/link.tsx';
import { getSession } from '#lib/session.ts';
import { cancelQuiz, type OpenQuiz, quizKeys } from './api.ts';
import { forgetUnsent } from './unsent-answers.ts';

type ExitDialogProps = {
  open: boolean;
  isTest: boolean;
  answered: number;
  total: number;
  /** Set if it can be left open and continued later; a time limit goes on meanwhile. */
  later?: { clock: boolean } | undefined;
  busy: boolean;
  onExit: () => void;
  /** For a test that can be handed in. */
  onHandIn?: (() => void) | undefined;
  onClose: () => void;
};

/** Asks before a quiz with answers is cancelled. */
export function ExitDialog(props: ExitDialogProps) {
  const { open, isTest, answered, total, later, busy, onExit, onHandIn, onClose } = props;
  const { t } = useTranslation('learner');
  return (
    <AppDialog
      open={open}
      title={t(isTest ? 'run.exit_test_title' : 'run.exit_title')}
      onClose={onClose}
    >
      <p>{t('run.exit_text', { n: answered, total })}</p>
      {later && (
        <p>
          {t('run.exit_later')} {later.clock && t('run.exit_clock')}
        </p>
      )}
      <DialogActions>
        {later && (
          <Button onClick={onClose}>{t(isTest ? 'run.exit_test_stay' : 'run.exit_stay')}</Button>
        )}
        {later && (
          <ButtonLink to="/quiz" variant="secondary">
            {t('run.exit_leave')}
          </ButtonLink>
        )}
        {onHandIn && (
          <Button variant="secondary" onClick={onHandIn}>
            {t('run.hand_in')}
          </Button>
        )}
        <Button
          variant={later ? 'tertiary' : 'primary'}
          data-color="danger"
          loading={busy}
          disabled={busy}
          onClick={onExit}
        >
          {t('run.exit_confirm')}
        </Button>
        {!later && (
          <Button variant="secondary" onClick={onClose}>
            {t(isTest ? 'run.exit_test_keep' : 'run.exit_keep')}
          </Button>
        )}
      </DialogActions>
    </AppDialog>
  );
}

/** Cancels an open quiz, without a result. */
export function useExitQuiz(onSettled: (error: Error | null) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: OpenQuiz) => cancelQuiz(id),
    onSuccess: (_, { id }) => forgetUnsent({ uid: getSession().user?.uid ?? '', quizId: id }),
    // Also after a failure: it may have been ended elsewhere.
    onSettled: (_, error) => {
      onSettled(error);
      return queryClient.invalidateQueries({ queryKey: quizKeys.open() });
    },
  });
}
