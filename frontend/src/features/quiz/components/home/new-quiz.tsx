import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { quizQuery } from '../../api/get-quiz.ts';
import { startQuiz } from '../../api/start-quiz.ts';
import { PRACTICE_TEST } from '../../topic-label.ts';
import styles from './new-quiz.module.css';
import { OpenQuizzes } from './open-quizzes.tsx';
import { PracticeTestCard } from './practice-test-card.tsx';
import { StartFailure } from './start-failure.tsx';
import { TopicDrillCard } from './topic-drill-card.tsx';

export function NewQuiz() {
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

  return (
    <div className={styles.quizzes}>
      <StartFailure error={start.error} />
      <OpenQuizzes />
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
