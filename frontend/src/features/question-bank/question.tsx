import { Alert, Button, Tag } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { Cluster } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { languageName } from '#lib/question-language.ts';
import { filtersQuery, presenceQuery, questionQuery, reportsQuery } from './api.ts';
import { lastSearch } from './bank-search.ts';
import { isInList, neighbourOf } from './bank-walk.ts';
import { EditForm } from './edit-form.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { StatusTag, useDelete, useRestore, useRetire, useValidate } from './question-actions.tsx';
import { QuestionPreview } from './question-preview.tsx';
import styles from './question.module.css';
import { Siblings } from './siblings.tsx';
import { useEdit } from './use-edit.ts';
import { useReviewKeys, useReviewKeysChoice } from './use-review-keys.ts';
import { VersionHistory } from './version-history.tsx';

type QuestionScreenProps = {
  /** Its id or uuid. */
  id: string;
  /** The statistics of the learners' answers. */
  statistics: ReactNode;
};

/** The page of one question: editing, validation, statistics, reports and history. */
export function QuestionScreen({ id, statistics }: QuestionScreenProps) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(questionQuery(id));
  const isMissing = found.error instanceof ApiError && found.error.status === 404;
  const number = found.data?.id ?? id;
  return (
    <AdminScreen
      title={t('questions.title_one', { id: number })}
      actions={
        <>
          <ButtonLink
            to="/admin/dashboard/questions"
            search={lastSearch()}
            variant="tertiary"
            data-size="sm"
          >
            <ArrowLeftIcon aria-hidden />
            {t('questions.back')}
          </ButtonLink>
          {found.data && <Neighbours id={found.data.id} />}
          {found.data && (
            <ButtonLink
              to="/admin/dashboard/questions/new"
              search={{ copy: found.data.id }}
              variant="secondary"
              data-size="sm"
            >
              {t('questions.new.copy')}
            </ButtonLink>
          )}
        </>
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
        <Question id={id} question={found.data} statistics={statistics} />
      )}
    </AdminScreen>
  );
}

function Question({ id, question, statistics }: QuestionScreenProps & { question: BankQuestion }) {
  const { t } = useTranslation('admin');
  const edit = useEdit(question);
  const goTo = useNeighbour(question.id);
  const validation = useValidate();
  const retiring = useRetire();
  const [isKeyed] = useReviewKeysChoice();

  /** Saves what was typed, validates, and shows the next question of the list. */
  function validateAndGoOn() {
    edit.saveThen((saved) => {
      const done = () => void goTo(1);
      if (saved.validated) done();
      else validation.mutate({ question: saved, validated: true }, { onSuccess: done });
    });
  }
  useReviewKeys(isKeyed, (key) => {
    if (key === 'j') void goTo(1);
    else if (key === 'k') void goTo(-1);
    else if (key === 'e') document.querySelector<HTMLElement>('#question-form textarea')?.focus();
    else if (question.retired_at !== null || edit.conflict) return;
    else if (key === 'v') validateAndGoOn();
    else retiring.mutate(question.id, { onSuccess: () => void goTo(1) });
  });
  return (
    <>
      <Presence id={question.id} writing={edit.isDirty} />
      <div className={styles.columns}>
        <section className={styles.section} aria-labelledby="question-content">
          <h2 id="question-content">{t('questions.content')}</h2>
          <div id="question-form">
            <EditForm
              edit={edit}
              language={question.language}
              beside={
                question.retired_at === null &&
                !edit.conflict && (
                  <BusyButton
                    type="button"
                    variant="secondary"
                    busy={validation.isPending}
                    onClick={validateAndGoOn}
                  >
                    {t('questions.action.save_validate_next')}
                  </BusyButton>
                )
              }
            />
          </div>
        </section>
        <aside className={styles.aside} aria-label={t('questions.aside')}>
          <QuestionState question={question} />
          <QuestionPreview draft={edit.draft} language={question.language} />
        </aside>
      </div>
      <Siblings question={question} />
      {statistics}
      <QuestionReports id={question.id} />
      <VersionHistory id={id} question={question} />
      <LeaveDialog isDirty={edit.isDirty} />
    </>
  );
}

/** Goes to the next question of the list, or the previous one; a notice says when there is none. */
function useNeighbour(id: number) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (step: 1 | -1) => {
    try {
      const neighbour = await neighbourOf(queryClient, id, step);
      if (neighbour === undefined) {
        notify(t(step === 1 ? 'questions.walk.end' : 'questions.walk.beginning'));
        return;
      }
      const params = { id: String(neighbour) };
      await navigate({ to: '/admin/dashboard/questions/$id', params });
    } catch (error) {
      notify(t('questions.walk.failed', { reason: errorText(error) }));
    }
  };
}

/** Buttons to the neighbours of a question in the list that it was opened from. */
function Neighbours({ id }: { id: number }) {
  const { t } = useTranslation('admin');
  const goTo = useNeighbour(id);
  if (!isInList(id)) return null;
  return (
    <>
      <Button data-size="sm" variant="secondary" onClick={() => void goTo(-1)}>
        {t('questions.walk.previous')}
      </Button>
      <Button data-size="sm" variant="secondary" onClick={() => void goTo(1)}>
        {t('questions.walk.next')}
      </Button>
    </>
  );
}

/** The status and origin of a question, and the actions. */
function QuestionState({ question }: { question: BankQuestion }) {
  const { t, i18n } = useTranslation('admin');
  const { id, validated, retired_at, is_used, merged_into, import_id, created_at, updated_at } =
    question;
  const navigate = useNavigate();
  const askToDelete = useDelete(
    () => void navigate({ to: '/admin/dashboard/questions', replace: true }),
  );
  const validation = useValidate();
  const restoring = useRestore();
  const date = (iso: string) => formatShortDateTime(iso, i18n.language);
  const number = (count: number) => formatCount(count, i18n.language);
  return (
    <section className={styles.state} aria-labelledby="question-state">
      <h2 id="question-state" className="ds-sr-only">
        {t('questions.column.status')}
      </h2>
      <p>
        <StatusTag question={question} />
      </p>
      <Cluster gap={2}>
        {retired_at ? (
          <BusyButton
            data-size="sm"
            busy={restoring.isPending}
            onClick={() => restoring.mutate(id)}
          >
            {t('questions.action.restore')}
          </BusyButton>
        ) : (
          <BusyButton
            data-size="sm"
            variant={validated ? 'secondary' : 'primary'}
            busy={validation.isPending}
            onClick={() => validation.mutate({ question, validated: !validated })}
          >
            {t(validated ? 'questions.action.unvalidate' : 'questions.action.validate')}
          </BusyButton>
        )}
        {!(retired_at && is_used) && (
          <Button
            data-size="sm"
            variant="secondary"
            data-color="danger"
            onClick={() => askToDelete(question)}
          >
            {t(is_used ? 'questions.action.retire' : 'questions.action.delete')}
          </Button>
        )}
      </Cluster>
      <DefinitionList
        rows={[
          {
            label: t('questions.column.language'),
            value: <QuestionLanguage code={question.language} />,
          },
          { label: t('questions.column.selected'), value: number(question.times_selected) },
          {
            label: t('questions.column.correct'),
            value:
              question.correct_percent === null ? '–' : `${number(question.correct_percent)} %`,
          },
          { label: t('questions.version'), value: question.version },
          { label: t('questions.created'), value: date(created_at) },
          ...(updated_at ? [{ label: t('questions.updated'), value: date(updated_at) }] : []),
          ...(merged_into
            ? [
                {
                  label: t('questions.merged_into'),
                  value: (
                    <Link
                      to="/admin/dashboard/questions/$id"
                      params={{ id: String(merged_into) }}
                      className="ds-link"
                    >
                      {t('questions.title_one', { id: merged_into })}
                    </Link>
                  ),
                },
              ]
            : []),
          ...(import_id
            ? [
                {
                  label: t('questions.origin'),
                  value: (
                    <Link
                      to="/admin/dashboard/imports/$id"
                      params={{ id: import_id }}
                      className="ds-link"
                    >
                      {t('audit.see_import')}
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

/** The name of the language, and whether it is offered to learners. */
function QuestionLanguage({ code }: { code: string }) {
  const { t, i18n } = useTranslation('admin');
  const { data } = useQuery(filtersQuery);
  const notOffered = (data as Partial<typeof data>)?.languages_not_offered?.includes(code);
  return (
    <>
      {languageName(code, i18n.language)}{' '}
      {notOffered && (
        <Tag data-color="warning" data-size="sm">
          {t('questions.not_offered')}
        </Tag>
      )}
    </>
  );
}

/** The learners' reports of a question. */
function QuestionReports({ id }: { id: number }) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const reports = useQuery(reportsQuery(id));
  const { feedback = [], total = 0 } = reports.data ?? {};
  return (
    <section className={styles.section} aria-labelledby="question-reports">
      <h2 id="question-reports">{t('questions.reports.title')}</h2>
      {reports.isPending && <SkeletonLines label={t('questions.loading_one')} lines={2} />}
      {reports.isError && (
        <RetryAlert busy={reports.isFetching} onRetry={() => void reports.refetch()}>
          {t('questions.reports.failed', { status: statusText(reports.error) })}
        </RetryAlert>
      )}
      {reports.isSuccess && total === 0 && <p className="muted">{t('questions.reports.none')}</p>}
      <ul className={styles.reports}>
        {feedback.map(({ id: key, created_at, user_email, reason, comment, state }) => (
          <li key={key}>
            <p>
              <strong>{t(`questions.reports.reason.${reason ?? 'none'}`)}</strong>{' '}
              <Tag data-size="sm" data-color={state === 'open' ? 'warning' : 'neutral'}>
                {t(`questions.reports.state.${state}`)}
              </Tag>
            </p>
            {comment && <p>{comment}</p>}
            <p className="muted">
              <time dateTime={created_at}>{formatShortDateTime(created_at, i18n.language)}</time>
              {user_email && ` · ${user_email}`}
            </p>
          </li>
        ))}
      </ul>
      {total > feedback.length && (
        <p className="muted">{t('questions.reports.more', { count: total - feedback.length })}</p>
      )}
    </section>
  );
}

/** Says who else has this question open, and whether they are writing. A failure says nothing. */
function Presence({ id, writing }: { id: number; writing: boolean }) {
  const { t } = useTranslation('admin');
  const { data: others = [] } = useQuery(presenceQuery(id, writing));
  return (
    <div role="status">
      {others.length > 0 && (
        <Alert data-color={others.some((one) => one.writing) ? 'warning' : 'info'} data-size="sm">
          {others.map(({ email, writing: isWriting }) => (
            <p key={email}>
              {t(isWriting ? 'questions.presence.writing' : 'questions.presence.reading', {
                email,
              })}
            </p>
          ))}
        </Alert>
      )}
    </div>
  );
}
