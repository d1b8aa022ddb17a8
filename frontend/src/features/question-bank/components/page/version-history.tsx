import type { BankQuestion, QuestionVersion } from '@proveklar/contract/questions.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { versionsQuery } from '../../api.ts';
import { toDraft } from '../../draft.ts';
import { ContentDiff } from './content-diff.tsx';
import styles from './question-page.module.css';

/** Every version of a question: who wrote it, when, and what became another. */
export function VersionHistory({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const versions = useQuery(versionsQuery(id));
  const { data = [] } = versions;
  return (
    <section className={styles.section} aria-labelledby="question-history">
      <h2 id="question-history">{t('questions.history.title')}</h2>
      {versions.isPending && <SkeletonLines label={t('questions.loading_one')} lines={3} />}
      {versions.isError && (
        <RetryAlert busy={versions.isFetching} onRetry={() => void versions.refetch()}>
          {errorText(versions.error)}
        </RetryAlert>
      )}
      <ol className={styles.versions}>
        {data.map((version, place) => (
          <Version key={version.version} version={version} before={data[place + 1]} />
        ))}
      </ol>
    </section>
  );
}

type VersionProps = { version: QuestionVersion; before: QuestionVersion | undefined };

function Version({ version, before }: VersionProps) {
  const { t, i18n } = useTranslation('admin');
  const { created_at, created_by, corrected, corrected_answer } = version;
  return (
    <li className={styles.version}>
      <h3>
        {t('questions.history.version', { n: version.version })}{' '}
        <small className="muted">
          <time dateTime={created_at}>{formatShortDateTime(created_at, i18n.language)}</time>
          {created_by && ` · ${created_by}`}
        </small>
      </h3>
      {corrected && (
        <p>
          {corrected_answer === null
            ? t('questions.history.none_right')
            : t('questions.history.corrected', { answer: corrected_answer })}
        </p>
      )}
      {before ? (
        <ContentDiff before={draftOf(before)} after={draftOf(version)} />
      ) : (
        <p className="muted">
          {t(version.import_id ? 'questions.history.imported' : 'questions.history.first')}
        </p>
      )}
    </li>
  );
}

// A version has no tags: they are no part of what is shown.
function draftOf(version: QuestionVersion) {
  return toDraft({ ...version, tags: [] as string[] } as BankQuestion & QuestionVersion);
}
