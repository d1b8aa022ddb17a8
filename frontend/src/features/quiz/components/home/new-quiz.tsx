import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import { quizQuery } from '../../api/get-quiz.ts';
import { startQuiz } from '../../api/start-quiz.ts';
import { PRACTICE_TEST } from '../../topic-label.ts';
import { ContinueQuiz } from './continue-quiz.tsx';
import styles from './new-quiz.module.css';
import { PracticeTestCard } from './practice-test-card.tsx';
import { TopicDrillCard } from './topic-drill-card.tsx';

export function NewQuiz() {
  const { t } = useTranslation();
  const statusText = useStatusText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: startQuiz,
    onSuccess: (session) => {
      queryClient.setQueryData(quizQuery(session.id).queryKey, session);
      return navigate({ to: '/quiz/$id', params: { id: session.id } });
    },
  });
  const starting = start.isPending ? start.variables.topic : undefined;
  // Somebody without access is taken to the payment, which says it better than an error would.
  const failed = start.error instanceof ApiError && start.error.status === 402 ? null : start.error;

  return (
    <div className={styles.quizzes}>
      {failed && (
        <div className={styles.failure}>
          <FormAlert>{t('quiz.failed.start', { status: statusText(failed) })}</FormAlert>
        </div>
      )}
      <ContinueQuiz />
      <PracticeTestCard
        busy={starting === PRACTICE_TEST}
        disabled={start.isPending}
        onStart={start.mutate}
      />
      <TopicDrillCard
        busy={starting !== undefined && starting !== PRACTICE_TEST}
        disabled={start.isPending}
        onStart={start.mutate}
      />
    </div>
  );
}
