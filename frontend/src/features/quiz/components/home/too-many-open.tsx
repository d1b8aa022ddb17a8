import { Button } from '@digdir/designsystemet-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import type { OpenQuiz } from '../../api.ts';
import { useExitQuiz } from '../../use-exit-quiz.ts';
import { OpenQuizRow } from './open-quiz-row.tsx';
import styles from './open-quizzes.module.css';

type TooManyOpenProps = {
  /** `too_many_open`; its details have the open drills. */
  error: ApiError;
  /** There is room now: the quiz that was asked for can be started. */
  onRoom: () => void;
};

/** Offers to continue one of the open drills, or to end one and start the quiz that was asked for. */
export function TooManyOpen({ error, onRoom }: TooManyOpenProps) {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const [closed, setClosed] = useState<ApiError>();
  const [asked, setAsked] = useState<OpenQuiz>();
  const exit = useExitQuiz((failure) => {
    setAsked(undefined);
    // One that was ended elsewhere makes room too.
    if (!failure || isOver(failure)) onRoom();
  });
  const failed = exit.error && !isOver(exit.error) ? exit.error : null;
  const quizzes = error.details.quizzes as OpenQuiz[];

  const text = useRef<HTMLParagraphElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone; with the focus the text is read aloud.
    if (asked !== undefined || wasAsked.current) text.current?.focus();
    wasAsked.current = asked !== undefined;
  }, [asked]);

  return (
    <AppDialog
      open={error !== closed}
      title={asked ? t('run.exit_title') : t('quiz.open_title', { count: quizzes.length })}
      onClose={() => {
        setAsked(undefined);
        setClosed(error);
      }}
    >
      <p ref={text} tabIndex={-1} className={styles.focused}>
        {asked
          ? t('run.exit_text', { n: asked.answered, total: asked.questions })
          : t('quiz.too_many_text')}
      </p>
      {asked ? (
        <DialogActions>
          <Button
            data-color="danger"
            loading={exit.isPending}
            disabled={exit.isPending}
            onClick={() => exit.mutate(asked)}
          >
            {t('run.exit_confirm')}
          </Button>
          <Button variant="secondary" disabled={exit.isPending} onClick={() => setAsked(undefined)}>
            {t('run.exit_keep')}
          </Button>
        </DialogActions>
      ) : (
        <>
          <FormAlert>{failed && t('quiz.failed.cancel', { status: statusText(failed) })}</FormAlert>
          <ul className={styles.list}>
            {quizzes.map((quiz) => (
              <OpenQuizRow
                key={quiz.id}
                quiz={quiz}
                readAt={0}
                disabled={false}
                onExit={() => setAsked(quiz)}
              />
            ))}
          </ul>
        </>
      )}
    </AppDialog>
  );
}

const isOver = (error: Error): boolean =>
  error instanceof ApiError && ['quiz_closed', 'quiz_not_found'].includes(error.code);
