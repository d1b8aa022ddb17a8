import { Button } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import { questionQuery } from '../../api.ts';
import { lastSearch } from '../../last-search.ts';
import { useEdit } from '../../use-edit.ts';
import { EditForm } from '../edit/edit-form.tsx';
import styles from './question-page.module.css';
import { QuestionPreview } from './question-preview.tsx';
import { QuestionReports } from './question-reports.tsx';
import { QuestionState } from './question-state.tsx';
import { VersionHistory } from './version-history.tsx';

type QuestionScreenProps = {
  /** Its id or uuid. */
  id: string;
  /** How learners answer it. */
  statistics: ReactNode;
  onGone: () => void;
};

/** One question: to edit, to judge, and everything that is known of it. */
export function QuestionScreen({ id, statistics, onGone }: QuestionScreenProps) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(questionQuery(id));
  const isMissing = found.error instanceof ApiError && found.error.status === 404;
  const number = found.data?.id ?? id;
  return (
    <AdminScreen
      title={t('questions.title_one', { id: number })}
      actions={
        <ButtonLink
          to="/admin/dashboard/questions"
          search={lastSearch()}
          variant="tertiary"
          data-size="sm"
        >
          <ArrowLeftIcon aria-hidden />
          {t('questions.back')}
        </ButtonLink>
      }
    >
      {found.isPending && <SkeletonLines label={t('questions.loading_one')} lines={8} />}
      {isMissing && (
        <EmptyState title={t('questions.missing')}>
          <p>{t('questions.missing_text')}</p>
        </EmptyState>
      )}
      {found.isError && !isMissing && !found.data && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('questions.failed.fetch_one', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && !isMissing && (
        <Question id={id} question={found.data} statistics={statistics} onGone={onGone} />
      )}
    </AdminScreen>
  );
}

function Question({
  id,
  question,
  statistics,
  onGone,
}: QuestionScreenProps & { question: BankQuestion }) {
  const { t } = useTranslation('admin');
  const edit = useEdit(question);
  return (
    <>
      <div className={styles.columns}>
        <section className={styles.section} aria-labelledby="question-content">
          <h2 id="question-content">{t('questions.content')}</h2>
          <EditForm edit={edit} language={question.language} />
        </section>
        <aside className={styles.aside} aria-label={t('questions.aside')}>
          <QuestionState question={question} onGone={onGone} />
          <QuestionPreview draft={edit.draft} language={question.language} />
        </aside>
      </div>
      {statistics}
      <QuestionReports id={question.id} />
      <VersionHistory id={id} />
      <LeaveDialog isDirty={edit.isDirty} />
    </>
  );
}

/** Asks before somebody goes away from what they have not saved. */
function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation('admin');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <AppDialog
      open={blocker.status === 'blocked'}
      title={t('questions.leave.title')}
      onClose={() => blocker.reset?.()}
    >
      <p>{t('questions.leave.text')}</p>
      <DialogActions>
        <Button onClick={() => blocker.reset?.()}>{t('questions.leave.stay')}</Button>
        <Button variant="secondary" data-color="danger" onClick={() => blocker.proceed?.()}>
          {t('questions.leave.go')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
