import { CURRICULUM } from '@proveklar/contract/curriculum.ts';
import type { CoverageResponse } from '@proveklar/contract/question-quality.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { languageName } from '#lib/question-language.ts';
import { coverageQuery } from './api.ts';
import styles from './question-quality.module.css';

/** With fewer questions, a learner soon meets the same ones again. */
const FEW = 5;

const NAMES = new Map<string, (typeof CURRICULUM)[number]['name']>(
  CURRICULUM.map(({ subject, name }) => [subject, name]),
);

/** How many questions the bank has for each subject of the curriculum and each of its tags. */
export function CoverageScreen() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const { data, error, isError, isFetching, refetch } = useQuery(coverageQuery);
  return (
    <AdminScreen
      title={t('coverage.title')}
      lead={t('coverage.lead', { few: FEW })}
      actions={
        <ButtonLink to="/admin/dashboard/quality" variant="secondary">
          {t('coverage.back')}
        </ButtonLink>
      }
    >
      {isError && (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {t('coverage.failed', { reason: errorText(error) })}
        </RetryAlert>
      )}
      {!data && !isError && <SkeletonLines label={t('quality.loading')} lines={8} />}
      {data?.languages.length === 0 && (
        <EmptyState title={t('coverage.none')}>
          <p>{t('coverage.none_text')}</p>
        </EmptyState>
      )}
      {data && data.languages.length > 0 && <Subjects coverage={data} />}
    </AdminScreen>
  );
}

function Subjects({ coverage }: { coverage: CoverageResponse }) {
  const { t } = useTranslation('admin');
  const { languages, subjects, questions, outside } = coverage;
  return (
    <Stack gap={6}>
      {subjects.map((subject) => (
        <section
          key={subject.subject}
          className={styles.statistics}
          aria-labelledby={`subject-${subject.subject}`}
        >
          <h2 id={`subject-${subject.subject}`}>
            {NAMES.get(subject.subject)?.[currentLanguage()] ?? subject.subject}
          </h2>
          <CountTable
            languages={languages}
            first={t('coverage.tag')}
            rows={[
              { name: t('coverage.all_of_subject'), questions: subject.questions, isTotal: true },
              ...subject.tags.map(({ tag, questions: counts }) => ({
                name: tag,
                questions: counts,
                isTotal: false,
              })),
            ]}
          />
        </section>
      ))}
      <section className={styles.statistics}>
        <h2>{t('coverage.whole')}</h2>
        <CountTable
          languages={languages}
          first={t('coverage.questions')}
          rows={[
            { name: t('coverage.all'), questions, isTotal: true },
            { name: t('coverage.outside'), questions: outside, isTotal: true },
          ]}
        />
      </section>
    </Stack>
  );
}

type CountTableProps = {
  languages: string[];
  /** The heading of the first column. */
  first: string;
  /** A row of all questions is never too small. */
  rows: { name: string; questions: Record<string, number>; isTotal: boolean }[];
};

function CountTable({ languages, first, rows }: CountTableProps) {
  const { t, i18n } = useTranslation('admin');
  return (
    <table className={`${styles.table} ${styles.coverage}`}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {languages.map((code) => (
            <th key={code} scope="col">
              {languageName(code, i18n.language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, questions, isTotal }) => (
          <tr key={name} data-total={isTotal || undefined}>
            <th scope="row">{name}</th>
            {languages.map((code) => {
              const count = questions[code] ?? 0;
              return (
                <td key={code}>
                  {formatCount(count, i18n.language)}
                  {!isTotal && count < FEW && (
                    <span className={styles.few}> {t('coverage.few')}</span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
