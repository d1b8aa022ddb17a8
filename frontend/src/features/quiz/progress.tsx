import '#theme/components.css';
import { Button } from '@digdir/designsystemet-react';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { Stack } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { formatDate, formatDayMonth, formatPercent, formatTime } from '#lib/format.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import { AllTopicsButton } from './all-topics-button.tsx';
import { type HistoryItem, historyQuery, progressQuery, type TopicProgress } from './api.ts';
import { drillOf, questionCount, useDrillLanguage } from './drill-choices.ts';
import { type Learning, useLearning } from './learning/api.ts';
import { Readiness } from './learning/readiness.tsx';
import { PractiseButtons } from './practise-buttons.tsx';
import {
  byStrength,
  type RecentResult,
  recentResults,
  type ShownTopic,
  topicName,
  trendOf,
  withUnmet,
} from './progress-figures.ts';
import styles from './progress.module.css';
import { StartFailure, useStartQuiz } from './start-quiz.tsx';
import { topicLabel } from './topic-label.ts';

type ProgressProps = {
  /** For a learner without access: the link to buy it, in place of the practise buttons. */
  access: ReactNode;
};

/** Readiness, results over time, the strength of each topic, and what to practise next. */
export function ProgressPage({ access }: ProgressProps) {
  const { t } = useTranslation(['learner', 'translation']);
  return (
    <Page
      title={t('progress.title')}
      headerActions={
        <ButtonLink to="/quiz" variant="tertiary">
          {t('translation:actions.to_quiz_home')}
        </ButtonLink>
      }
    >
      <Stack gap={6}>
        <h1>{t('progress.title')}</h1>
        <LearnerProgress access={access} />
      </Stack>
    </Page>
  );
}

function LearnerProgress({ access }: ProgressProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const runs = useInfiniteQuery(historyQuery);
  const progress = useQuery(progressQuery);
  const [language] = useDrillLanguage();
  const learning = useLearning(language);
  const { start, retry, starting, error } = useStartQuiz();
  const queries = [runs, progress, learning];
  const failed = queries.filter(({ isError, data }) => isError && !data);
  if (failed.length > 0) {
    return (
      <RetryAlert
        busy={failed.some(({ isFetching }) => isFetching)}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      >
        {t('progress.failed')}
      </RetryAlert>
    );
  }
  if (!runs.data || !progress.data || !learning.data) {
    return <SkeletonLines label={t('translation:app.loading')} lines={8} />;
  }
  const history = runs.data.pages.flatMap((page) => page.history);
  const { topics } = progress.data;
  if (history.length === 0 && topics.length === 0) return <NoProgress />;
  return (
    <div className={styles.progress}>
      <StartFailure error={error} onRetry={retry} />
      {access ? (
        <div className={styles.access}>
          <p>{t('quiz.no_access')}</p>
          {access}
        </div>
      ) : (
        <PractiseButtons
          progress={progress.data}
          hasStep={learning.data.next_step !== null}
          starting={starting}
          onStart={start}
        />
      )}
      <div className={styles.card}>
        <Readiness
          heading="h2"
          learning={learning.data}
          busy={starting === 'step'}
          disabled={starting !== undefined}
          onStart={access ? undefined : (request) => start(request, 'step')}
        />
      </div>
      {/* One result is no development. */}
      {history.length >= 2 && <ResultsChart history={history} />}
      {topics.length > 0 && (
        <TopicStrengths
          topics={topics}
          learning={learning.data}
          starting={starting}
          onStart={access ? undefined : start}
        />
      )}
    </div>
  );
}

function NoProgress() {
  const { t } = useTranslation('learner');
  return (
    <Stack gap={3}>
      <p>{t('progress.empty')}</p>
      <div>
        <ButtonLink to="/quiz">{t('history.empty_action')}</ButtonLink>
      </div>
    </Stack>
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
  const marks = new Set(results.flatMap(({ passPercent }) => passPercent ?? []));
  const hasTest = marks.size > 0;
  const hasDrill = results.some(({ passPercent }) => passPercent === null);
  // Tests of the same exam share one line.
  const [mark] = marks.size === 1 ? marks : [];
  return (
    <section className={`${styles.card} ${styles.results}`} aria-labelledby="results-title">
      <h2 id="results-title">{t('progress.results')}</h2>
      <p>
        {t('progress.recent', { n: runs, percent: formatPercent(now, i18n.language) })}{' '}
        {before !== null &&
          t('progress.before', { n: runs, percent: formatPercent(before, i18n.language) })}
      </p>
      <div aria-hidden className={styles.chart} data-few={isFew || undefined}>
        <div className={styles.scale}>
          {SCALE.map((percent) => (
            <span key={percent}>{formatPercent(percent / 100, i18n.language)}</span>
          ))}
        </div>
        <div className={styles.plot}>
          {mark !== undefined && <span className={styles.mark} style={height(mark)} />}
          {results.map(({ id, percent, passPercent }) => (
            <span key={id} className={styles.run} data-test={passPercent !== null || undefined}>
              <span className={styles.bar} style={height(percent)} />
              {passPercent !== null && mark === undefined && (
                <span className={styles.line} style={height(passPercent)} />
              )}
            </span>
          ))}
        </div>
        <div className={styles.dates}>
          {datesOf(results, isFew, i18n.language).map(({ id, label }) => (
            <span key={id}>{label}</span>
          ))}
        </div>
      </div>
      {hasTest && (
        <ul aria-hidden className={styles.legend}>
          {hasDrill && <li data-mark="drill">{t('progress.quiz')}</li>}
          <li data-mark="test">{t('quiz.practice_test')}</li>
          <li data-mark="line">
            {mark === undefined
              ? t('progress.pass_line')
              : t('progress.pass_line_at', { percent: formatPercent(mark / 100, i18n.language) })}
          </li>
        </ul>
      )}
      <ResultsTable results={results} />
    </section>
  );
}

/** The labels below the bars: each of a few, else the first and the last. A day is named once, then the time. */
function datesOf(results: readonly RecentResult[], isFew: boolean, language: string) {
  const shown = isFew
    ? results
    : [results[0], results.at(-1)].filter((result) => result !== undefined);
  return shown.map(({ id, completedAt }, index) => {
    const day = formatDayMonth(completedAt, language);
    const before = shown[index - 1];
    const isSameDay = before !== undefined && formatDayMonth(before.completedAt, language) === day;
    return { id, label: isSameDay ? formatTime(completedAt, language) : day };
  });
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
              <td>{formatPercent(percent / 100, i18n.language)}</td>
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
  /** Has the number of questions of each topic, in its language. */
  learning: Learning;
  starting: string | undefined;
  /** Left out for a learner without access. */
  onStart: ((request: StartQuizRequest, way: string) => void) | undefined;
};

/** The strength of each topic, those of the chosen language first; the weakest first, those without an answer last. */
function TopicStrengths({ topics, learning, starting, onStart }: TopicStrengthsProps) {
  const { t } = useTranslation('learner');
  const [all, setAll] = useState(false);
  const id = useId();
  const ordered = byStrength(withUnmet(topics, learning), learning.language);
  const languages = new Set([currentLanguage(), ...topics.map(({ language }) => language)]);
  const totals = new Map(learning.topics.map(({ topic, total }) => [topic, total]));
  return (
    <section className={`${styles.card} ${styles.strengths}`} aria-labelledby="topics-title">
      <h2 id="topics-title">{t('progress.topics')}</h2>
      <p>{t('progress.topics_text')}</p>
      <ul id={id} className={styles.topics}>
        {(all ? ordered : ordered.slice(0, MAX_TOPICS_AT_FIRST)).map((topic) => {
          const way = `topic:${topic.language}:${topic.topic}`;
          return (
            <TopicStrength
              key={way}
              topic={topic}
              total={topic.language === learning.language ? totals.get(topic.topic) : undefined}
              namesLanguage={languages.size > 1}
              busy={starting === way}
              disabled={starting !== undefined}
              onPractise={
                onStart &&
                (() => onStart(drillOf(topic.topic, topic.language, questionCount()), way))
              }
            />
          );
        })}
      </ul>
      {ordered.length > MAX_TOPICS_AT_FIRST && (
        <AllTopicsButton list={id} all={all} onChange={setAll} />
      )}
    </section>
  );
}

type TopicStrengthProps = {
  topic: ShownTopic;
  /** The questions of the topic, if known; otherwise the bar is of the questions answered. */
  total: number | undefined;
  /** Whether the learner practises in several languages, or in another one than the page's. */
  namesLanguage: boolean;
  busy: boolean;
  disabled: boolean;
  onPractise: (() => void) | undefined;
};

function TopicStrength(props: TopicStrengthProps) {
  const { topic, namesLanguage, busy, disabled, onPractise } = props;
  const { t } = useTranslation('learner');
  const { language, met, right, enough } = topic;
  const total = Math.max(met, props.total ?? met);
  const shown = topicName(topic, currentLanguage());
  const questions = languageName(language, currentLanguage());
  return (
    <li className={styles.topic}>
      <span className={styles.name}>
        <span className="clamped" {...textIn(shown.language)}>
          {shown.name}
        </span>
        {namesLanguage && <span className="muted">{questions}</span>}
      </span>
      <span className={styles.share}>
        {met === 0 && total > 0 && t('progress.unmet', { total })}
        {met > 0 && total > met && t('progress.share_of_all', { right, met, total })}
        {total === met && t('progress.share', { right, met })}
        {!enough && total === met && <span className="muted">. {t('progress.too_little')}</span>}
      </span>
      {(enough || total > met) && (
        <span aria-hidden className={styles.track}>
          <span style={{ inlineSize: `${(right * 100) / total}%` }} />
          <span data-wrong style={{ inlineSize: `${((met - right) * 100) / total}%` }} />
        </span>
      )}
      {onPractise && (
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
      )}
    </li>
  );
}
