import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { getSession } from '#lib/session.ts';
import { type OpenQuiz, openQuizzesQuery } from '../../api.ts';
import { readUnsent } from '../../unsent-answers.ts';
import { PRACTICE_TEST } from '../../topic-label.ts';
import { useExitQuiz } from '../../use-exit-quiz.ts';
import { ExitDialog } from '../exit-dialog.tsx';
import { OpenQuizRow } from './open-quiz-row.tsx';
import styles from './open-quizzes.module.css';

/** The way back into the quizzes that were left: by a crash, the Back button or another device. */
export function OpenQuizzes() {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const { data, dataUpdatedAt } = useQuery(openQuizzesQuery);
  const [asked, setAsked] = useState<OpenQuiz>();
  const cancel = useExitQuiz(() => setAsked(undefined));

  const quizzes = data?.quizzes.filter(isWorthGoingOn) ?? [];
  if (quizzes.length === 0) return null;
  return (
    <section className={styles.card} aria-labelledby="open-title">
      <h2 id="open-title">{t('quiz.open_title', { count: quizzes.length })}</h2>
      <FormAlert>
        {cancel.isError && t('quiz.failed.cancel', { status: statusText(cancel.error) })}
      </FormAlert>
      <ul className={styles.list}>
        {quizzes.map((quiz) => (
          <OpenQuizRow
            key={quiz.id}
            quiz={quiz}
            readAt={dataUpdatedAt}
            disabled={cancel.isPending}
            onExit={() => (quiz.answered > 0 ? setAsked(quiz) : cancel.mutate(quiz))}
          />
        ))}
      </ul>
      <ExitDialog
        open={asked !== undefined}
        answered={asked?.answered ?? 0}
        total={asked?.questions ?? 0}
        busy={cancel.isPending}
        onExit={() => asked && cancel.mutate(asked)}
        onClose={() => setAsked(undefined)}
      />
    </section>
  );
}

/** A drill that was opened and left at once is nothing to go on with: a new one is as good. */
function isWorthGoingOn({ id, topic, answered }: OpenQuiz): boolean {
  if (answered > 0 || topic === PRACTICE_TEST) return true;
  const { answers, handIn } = readUnsent({ uid: getSession().user?.uid ?? '', quizId: id });
  return handIn || Object.keys(answers).length > 0;
}
