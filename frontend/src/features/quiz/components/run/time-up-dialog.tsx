import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';

/**
 * The time is up: what was answered is on its way, and the result comes by itself. It cannot be
 * closed, as there is nothing to go back to.
 */
export function TimeUpDialog({ run, open }: { run: QuizRunState; open: boolean }) {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const { saving, finishing, end } = run;
  const failure = finishing ? undefined : (run.refusal ?? end.error);
  return (
    <AppDialog open={open} title={t('practice.up_title')} closable={false} onClose={() => {}}>
      <p>{t('practice.up_text')}</p>
      <p role="status">{saving.problem ? t('practice.up_offline') : t('practice.up_sending')}</p>
      {saving.problem?.stopped && <p>{errorText(saving.problem.error)}</p>}
      <FormAlert>{failure ? errorText(failure) : null}</FormAlert>
      <DialogActions>
        {saving.problem && finishing && !saving.problem.told && (
          <Button onClick={saving.retry}>{t('saving.try_now')}</Button>
        )}
        {failure && (
          <Button onClick={() => void run.finish()}>{t('translation:actions.retry')}</Button>
        )}
        {(failure || saving.problem) && (
          <ButtonLink to="/quiz" variant="secondary">
            {t('translation:actions.to_quiz_home')}
          </ButtonLink>
        )}
      </DialogActions>
    </AppDialog>
  );
}
