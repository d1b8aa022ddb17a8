import { Button } from '@digdir/designsystemet-react';
import type { BankQuestion, QuestionVersion } from '@proveklar/contract/questions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { restoreVersion, versionsQuery } from './api.ts';
import { ContentDiff } from './content-diff.tsx';
import { versionDraft } from './draft.ts';
import styles from './question.module.css';

/** All versions of a question: author, time and differences. */
export function VersionHistory({ id, question }: { id: string; question: BankQuestion }) {
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
          <Version
            key={version.version}
            version={version}
            before={data[place + 1]}
            question={question}
          />
        ))}
      </ol>
    </section>
  );
}

type VersionProps = {
  version: QuestionVersion;
  before: QuestionVersion | undefined;
  /** The question as it is now. */
  question: BankQuestion;
};

function Version({ version, before, question }: VersionProps) {
  const { t, i18n } = useTranslation('admin');
  const askToRestore = useRestoreVersion(question);
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
        <ContentDiff before={versionDraft(before)} after={versionDraft(version)} />
      ) : (
        <p className="muted">
          {t(version.import_id ? 'questions.history.imported' : 'questions.history.first')}
        </p>
      )}
      {version.version !== question.version && (
        <div>
          <Button data-size="sm" variant="tertiary" onClick={() => askToRestore(version)}>
            {t('questions.history.restore', { n: version.version })}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Makes an earlier version the current one, after a confirmation that shows what changes. */
function useRestoreVersion(question: BankQuestion) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return (version: QuestionVersion) =>
    confirmAction({
      title: t('questions.history.restore_title', { n: version.version }),
      body: (
        <>
          <p>{t('questions.history.restore_text')}</p>
          <ContentDiff before={versionDraft(question)} after={versionDraft(version)} />
        </>
      ),
      action: t('questions.history.restore_button'),
      tone: 'primary',
      run: () => restoreVersion(question.id, version.version, question.version),
      onDone: () => {
        notify(t('questions.history.restored', { n: version.version }));
        return refreshQuestions(queryClient);
      },
      describeError: (reason) => t('questions.failed.save', { reason }),
    });
}
