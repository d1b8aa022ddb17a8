import { Alert, Button } from '@digdir/designsystemet-react';
import { CheckmarkCircleFillIcon } from '@navikt/aksel-icons';
import type {
  OptionShare,
  QuestionStatisticsResponse,
  VersionStatistics,
} from '@proveklar/contract/question-quality.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DefinitionList } from '#components/definition-list.tsx';
import { Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { formatPercent } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import { statisticsQuery } from './api.ts';
import { CorrectKeyDialog } from './correct-key-dialog.tsx';
import { useFigureText } from './figure-text.ts';
import styles from './question-quality.module.css';

/** The statistics of a question, with a button to correct its key. */
export function QuestionStatistics({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const found = useQuery(statisticsQuery(id));
  if (found.isError && !found.data) {
    // The page already says that the question does not exist.
    if ('status' in found.error && found.error.status === 404) return null;
  }
  return (
    <section className={styles.statistics} aria-labelledby="question-statistics">
      <h2 id="question-statistics">{t('quality.statistics')}</h2>
      {found.isPending && <SkeletonLines label={t('quality.loading')} lines={4} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {errorText(found.error)}
        </RetryAlert>
      )}
      {found.data && <Figures id={id} statistics={found.data} />}
    </section>
  );
}

function Figures({ id, statistics }: { id: string; statistics: QuestionStatisticsResponse }) {
  const { t, i18n } = useTranslation('admin');
  const figureText = useFigureText();
  const [isCorrecting, setCorrecting] = useState(false);
  const { answers, too_few, threshold, facility, discrimination, quizzes, options } = statistics;
  const { measured_difficulty: measured } = statistics;
  const number = (count: number) => formatCount(count, i18n.language);
  return (
    <>
      {too_few && (
        <p className="muted">
          {t(answers === 0 ? 'quality.no_answers' : 'quality.too_few', {
            count: answers,
            threshold,
          })}
        </p>
      )}
      <div className={styles.columns}>
        <OptionBars options={options} language={statistics.language} />
        <div>
          <DefinitionList
            rows={[
              { label: t('quality.answers'), value: number(answers) },
              { label: t('quality.facility'), value: figureText.facility(facility, !too_few) },
              {
                label: t('quality.discrimination_name'),
                value: figureText.discrimination(discrimination, !too_few),
              },
              { label: t('quality.measured_name'), value: figureText.measured(measured) },
            ]}
          />
          <div className={styles.explained}>
            <p>{t('quality.facility_means')}</p>
            <p>{t('quality.discrimination_means', { count: quizzes, n: number(quizzes) })}</p>
            <p>
              {measured
                ? t('quality.measured_means', {
                    count: measured.answers,
                    n: number(measured.answers),
                  })
                : t('quality.not_measured_means')}
            </p>
          </div>
        </div>
      </div>
      <EarlierVersions
        versions={statistics.versions}
        language={statistics.language}
        threshold={threshold}
      />
      <RegradeState regrade={statistics.regrade} />
      <div>
        <Button variant="secondary" data-size="sm" onClick={() => setCorrecting(true)}>
          {t('quality.correct.button')}
        </Button>
      </div>
      <CorrectKeyDialog id={isCorrecting ? id : undefined} onClose={() => setCorrecting(false)} />
    </>
  );
}

/** The progress of the last correction of the key. */
function RegradeState({ regrade }: Pick<QuestionStatisticsResponse, 'regrade'>) {
  const { t, i18n } = useTranslation('admin');
  if (!regrade) return null;
  const { quizzes, changed } = regrade;
  const name = regrade.completed_at === null ? 'regrading' : 'regraded';
  const counted = (count: number) => ({ count, n: formatCount(count, i18n.language) });
  return (
    <Alert data-color="info" data-size="sm">
      <p role="status">
        {t(`quality.${name}`, counted(quizzes))} {t('quality.results_changed', counted(changed))}
      </p>
    </Alert>
  );
}

type EarlierVersionsProps = {
  versions: readonly VersionStatistics[];
  language: string;
  threshold: number;
};

/** The statistics of earlier versions with another text or options, which are not in the totals. */
function EarlierVersions({ versions, language, threshold }: EarlierVersionsProps) {
  const { t, i18n } = useTranslation('admin');
  const figureText = useFigureText();
  const earlier = versions.filter(({ pooled, answers }) => !pooled && answers > 0);
  if (earlier.length === 0) return null;
  return (
    <details>
      <summary className={styles.summary}>{t('quality.earlier')}</summary>
      <ul className={styles.earlier}>
        {earlier.map(({ version, question, answers, facility, options, corrected }) => (
          <Stack as="li" gap={2} key={version}>
            <p>
              <strong>{t('questions.history.version', { n: version })}:</strong>{' '}
              <span {...textIn(language)}>{question}</span>
            </p>
            <p className="muted">
              {t('quality.answers')}: {formatCount(answers, i18n.language)} ·{' '}
              {t('quality.facility')}: {figureText.facility(facility, answers >= threshold)}
              {corrected && ` · ${t('quality.key_was_wrong')}`}
            </p>
            <OptionBars options={options} language={language} />
          </Stack>
        ))}
      </ul>
    </details>
  );
}

type OptionBarsProps = { options: readonly OptionShare[]; language: string };

/** How often each option was chosen. The key has an icon and a word, not only a colour. */
function OptionBars({ options, language }: OptionBarsProps) {
  const { t, i18n } = useTranslation('admin');
  return (
    <ul className={styles.options} aria-label={t('quality.options')}>
      {options.map(({ option, is_key, share, times_chosen }) => (
        <li key={option} data-key={is_key || undefined}>
          <span className={styles.option}>
            <span {...textIn(language)}>{option}</span>
            {is_key && (
              <span className={styles.key}>
                <CheckmarkCircleFillIcon aria-hidden /> {t('quality.key')}
              </span>
            )}
          </span>
          <span className={styles.amount}>
            {share === null ? '–' : formatPercent(share, i18n.language)}{' '}
            <small>
              {t('quality.times', {
                count: times_chosen,
                n: formatCount(times_chosen, i18n.language),
              })}
            </small>
          </span>
          <span className={styles.bar} aria-hidden="true">
            <span style={{ transform: `scaleX(${share ?? 0})` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
