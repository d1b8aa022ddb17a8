import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { openQuizzesQuery, progressQuery } from '../../api.ts';
import { useStartQuiz } from '../../use-start-quiz.ts';
import { PractiseOffers } from '../progress/practise-offers.tsx';
import styles from './new-quiz.module.css';
import { OpenQuizzes } from './open-quizzes.tsx';
import { PracticeTestCard } from './practice-test-card.tsx';
import { StartFailure } from './start-failure.tsx';
import { TopicDrillCard } from './topic-drill-card.tsx';

type NewQuizProps = {
  /** What somebody was sent here for to drill. */
  topic?: string | undefined;
  language?: string | undefined;
  /** Who has no access may not start any: it is said, and this leads to more of it. */
  access?: ReactNode;
};

/** The ways to start a quiz. */
export function NewQuiz({ topic, language, access }: NewQuizProps) {
  const { t } = useTranslation(['translation', 'learner']);
  const open = useQuery(openQuizzesQuery);
  const progress = useQuery(progressQuery);
  const { start, retry, starting, error } = useStartQuiz<
    'test' | 'drill' | 'mistakes' | 'weakest'
  >();
  const disabled = starting !== undefined;

  // Whoever signs in on this page has nothing loaded yet, and these stand above the cards. What fails
  // is not waited for.
  if ([open, progress].some(({ isPending, failureCount }) => isPending && failureCount === 0)) {
    return <SkeletonLines label={t('app.loading')} lines={8} />;
  }
  const drillCard = (
    <TopicDrillCard
      key={`${language}:${topic}`}
      preselected={{ topic, language }}
      access={access}
      busy={starting === 'drill'}
      disabled={disabled}
      onStart={(request) => start(request, 'drill')}
    />
  );
  return (
    <div className={styles.quizzes}>
      <StartFailure error={error} onRetry={retry} />
      <OpenQuizzes />
      {access ? (
        <p className={styles.noAccess}>{t('learner:quiz.no_access')}</p>
      ) : (
        <PractiseOffers progress={progress.data} starting={starting} onStart={start} />
      )}
      {topic !== undefined && drillCard}
      <PracticeTestCard
        isSecond={topic !== undefined}
        access={access}
        busy={starting === 'test'}
        disabled={disabled}
        onStart={(request) => start(request, 'test')}
      />
      {topic === undefined && drillCard}
    </div>
  );
}
