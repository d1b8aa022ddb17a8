import type { ProgressResponse } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import type { HistoryItem } from '../../api.ts';
import { useStartQuiz } from '../../use-start-quiz.ts';
import { StartFailure } from '../home/start-failure.tsx';
import styles from './learner-progress.module.css';
import { PractiseButtons } from './practise-buttons.tsx';
import { ResultsChart } from './results-chart.tsx';
import { TopicStrengths } from './topic-strengths.tsx';

type LearnerProgressProps = {
  history: readonly HistoryItem[];
  progress: ProgressResponse | undefined;
};

/** Results over time, what is known of each topic, and what to practise next. */
export function LearnerProgress({ history, progress }: LearnerProgressProps) {
  const { t } = useTranslation('learner');
  const { start, retry, starting, error } = useStartQuiz();
  const topics = progress?.topics ?? [];
  if (history.length < 2 && topics.length === 0) return null;
  return (
    <section className={styles.progress} aria-labelledby="progress-title">
      <h2 id="progress-title">{t('progress.title')}</h2>
      <StartFailure error={error} onRetry={retry} />
      {progress && <PractiseButtons progress={progress} starting={starting} onStart={start} />}
      {/* One result is no development. */}
      {history.length >= 2 && <ResultsChart history={history} />}
      {topics.length > 0 && <TopicStrengths topics={topics} starting={starting} onStart={start} />}
    </section>
  );
}
