import { Button } from '@digdir/designsystemet-react';
import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { formatDate, formatDay, formatPercent } from '#lib/format.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import type { HistoryItem, TopicProgress } from './api.ts';
import { drillOf, questionCount } from './drill-choices.ts';
import { PractiseButtons } from './practise-buttons.tsx';
import {
  byStrength,
  type RecentResult,
  recentResults,
  topicName,
  trendOf,
} from './progress-figures.ts';
import styles from './progress.module.css';
import { StartFailure, useStartQuiz } from './start-quiz.tsx';
import { topicLabel } from './topic-label.ts';

type LearnerProgressProps = {
  history: readonly HistoryItem[];
  progress: ProgressResponse | undefined;
};

/** Results over time, the strength of each topic, and what to practise next. */
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

const SCALE = [100, 50, 0];
/** The number of dates that fit next to one another on a phone. */
const MAX_DATES = 4;

/**
 * The last results as a bar chart, with the pass mark of practice tests. Drawn by CSS: the chart library
 * would be a hundred times larger.
 */
function ResultsChart({ history }: { history: readonly HistoryItem[] }) {
  const { t, i18n } = useTranslation('learner');
  const results = recentResults(history);
  const { runs, now, before } = trendOf(history);
  const isFew = results.length <= MAX_DATES;
  const dated = isFew ? results : [results[0], results.at(-1)];
  const hasTest = results.some(({ passPercent }) => passPercent !== null);
  const hasDrill = results.some(({ passPercent }) => passPercent === null);
  return (
    <section className={`${styles.card} ${styles.results}`} aria-labelledby="results-title">
      <h3 id="results-title">{t('progress.results')}</h3>
      <p>
        {t('progress.recent', { n: runs, percent: formatPercent(now) })}{' '}
        {before !== null && t('progress.before', { n: runs, percent: formatPercent(before) })}
      </p>
      <div aria-hidden className={styles.chart} data-few={isFew || undefined}>
        <div className={styles.scale}>
          {SCALE.map((percent) => (
            <span key={percent}>{formatPercent(percent / 100)}</span>
          ))}
        </div>
        <div className={styles.plot}>
          {results.map(({ id, percent, passPercent }) => (
            <span key={id} className={styles.run} data-test={passPercent !== null || undefined}>
              <span className={styles.bar} style={height(percent)} />
              {passPercent !== null && <span className={styles.line} style={height(passPercent)} />}
            </span>
          ))}
        </div>
        <div className={styles.dates}>
          {dated.map(
            (result) =>
              result && <span key={result.id}>{formatDay(result.completedAt, i18n.language)}</span>,
          )}
        </div>
      </div>
      {hasTest && (
        <ul aria-hidden className={styles.legend}>
          {hasDrill && <li data-mark="drill">{t('progress.quiz')}</li>}
          <li data-mark="test">{t('quiz.practice_test')}</li>
          <li data-mark="line">{t('progress.pass_line')}</li>
        </ul>
      )}
      <ResultsTable results={results} />
    </section>
  );
}

const height = (percent: number): CSSProperties => ({ blockSize: `${percent}%` });

/** The chart as a table for screen readers. */
function ResultsTable({ results }: { results: readonly RecentResult[] }) {
  const { t, i18n } = useTranslation('learner');
  return (
    // A wrapper, because a table cannot be clipped to one pixel.
    <div className="ds-sr-only">
      <table>
        <caption>{t('progress.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('progress.column_date')}</th>
            <th scope="col">{t('progress.quiz')}</th>
            <th scope="col">{t('progress.column_percent')}</th>
            <th scope="col">{t('progress.column_outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ id, completedAt, topic, percent, passed }) => (
            <tr key={id}>
              <td>{formatDate(completedAt, i18n.language)}</td>
              <td>
                <span className="clamped">{topicLabel(topic, t)}</span>
              </td>
              <td>{formatPercent(percent / 100)}</td>
              <td>{passed === null ? '–' : t(passed ? 'result.passed' : 'result.not_passed')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The number of topics shown at first. */
const MAX_TOPICS_AT_FIRST = 8;

type TopicStrengthsProps = {
  topics: readonly TopicProgress[];
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: string) => void;
};

/** The strength of each topic, the weakest first. */
function TopicStrengths({ topics, starting, onStart }: TopicStrengthsProps) {
  const { t } = useTranslation('learner');
  const [all, setAll] = useState(false);
  const ordered = byStrength(topics);
  const languages = new Set([currentLanguage(), ...topics.map(({ language }) => language)]);
  return (
    <section className={styles.card} aria-labelledby="topics-title">
      <h3 id="topics-title">{t('progress.topics')}</h3>
      <p>{t('progress.topics_text')}</p>
      <ul className={styles.topics}>
        {(all ? ordered : ordered.slice(0, MAX_TOPICS_AT_FIRST)).map((topic) => {
          const way = `topic:${topic.language}:${topic.topic}`;
          return (
            <TopicStrength
              key={way}
              topic={topic}
              namesLanguage={languages.size > 1}
              busy={starting === way}
              disabled={starting !== undefined}
              onPractise={() => onStart(drillOf(topic.topic, topic.language, questionCount()), way)}
            />
          );
        })}
      </ul>
      {!all && ordered.length > MAX_TOPICS_AT_FIRST && (
        <Button variant="tertiary" data-size="sm" onClick={() => setAll(true)}>
          {t('progress.all_topics')}
        </Button>
      )}
    </section>
  );
}

type TopicStrengthProps = {
  topic: TopicProgress;
  /** Whether the learner practises in several languages, or in another one than the page's. */
  namesLanguage: boolean;
  busy: boolean;
  disabled: boolean;
  onPractise: () => void;
};

function TopicStrength({ topic, namesLanguage, busy, disabled, onPractise }: TopicStrengthProps) {
  const { t } = useTranslation('learner');
  const { language, met, right, enough } = topic;
  const shown = topicName(topic, currentLanguage());
  const questions = languageName(language, currentLanguage());
  return (
    <li className={styles.topic}>
      <span className={styles.name}>
        <span className="clamped" {...textIn(shown.language)}>
          {shown.name}
        </span>
        {namesLanguage && <span className="muted"> · {questions}</span>}
      </span>
      <span className={styles.share}>
        {t('progress.share', { right, met })}
        {!enough && '.'}
        {!enough && <span className="muted"> {t('progress.too_little')}</span>}
      </span>
      {enough && (
        <span aria-hidden className={styles.track}>
          <span style={{ inlineSize: `${(right * 100) / met}%` }} />
        </span>
      )}
      <Button
        className={styles.practise}
        variant="tertiary"
        data-size="sm"
        aria-label={t('progress.practise_topic', {
          topic: namesLanguage ? `${shown.name} · ${questions}` : shown.name,
        })}
        loading={busy}
        disabled={disabled}
        onClick={onPractise}
      >
        {t('progress.practise')}
      </Button>
    </li>
  );
}
