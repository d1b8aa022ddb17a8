import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { StartQuizRequest } from '@proveklar/gateway/contract/quiz.ts';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { openQuizzesQuery } from '../../api/get-open-quizzes.ts';
import { quizQuery } from '../../api/get-quiz.ts';
import { startQuiz } from '../../api/start-quiz.ts';
import { PRACTICE_TEST } from '../../topic-label.ts';
import styles from './new-quiz.module.css';
import { OpenQuizzes } from './open-quizzes.tsx';
import { PracticeTestCard } from './practice-test-card.tsx';
import { StartFailure } from './start-failure.tsx';
import { TopicDrillCard } from './topic-drill-card.tsx';

export function NewQuiz() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { isPending, failureCount } = useQuery(openQuizzesQuery);
  // The state of the mutation comes a moment too late for a second, very fast click.
  const underWay = useRef(false);
  const start = useMutation({
    mutationFn: startQuiz,
    onSuccess: (session) => {
      queryClient.setQueryData(quizQuery(session.id).queryKey, session);
      return navigate({ to: '/quiz/$id', params: { id: session.id } });
    },
    onSettled: () => {
      underWay.current = false;
    },
  });
  function startOnce(request: StartQuizRequest) {
    if (underWay.current) return;
    underWay.current = true;
    start.mutate(request);
  }
  const starting = start.isPending ? start.variables.topic : undefined;

  // Whoever signs in on this page has nothing loaded yet, and the list stands above the cards. A
  // list that fails is not waited for.
  if (isPending && failureCount === 0) return <SkeletonLines label={t('app.loading')} lines={8} />;
  return (
    <div className={styles.quizzes}>
      <StartFailure error={start.error} />
      <OpenQuizzes />
      <PracticeTestCard
        busy={starting === PRACTICE_TEST}
        disabled={start.isPending}
        onStart={startOnce}
      />
      <TopicDrillCard
        busy={starting !== undefined && starting !== PRACTICE_TEST}
        disabled={start.isPending}
        onStart={startOnce}
      />
    </div>
  );
}
