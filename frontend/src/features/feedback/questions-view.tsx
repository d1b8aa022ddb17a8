import { Tag } from '@digdir/designsystemet-react';
import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { useMayOpenQuestions } from '#components/admin/role.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import {
  closeFeedback,
  feedbackKeys,
  type QuestionsFilter,
  reopenFeedback,
  type ReportedQuestions,
  reportedQuestionsQuery,
} from './api.ts';
import styles from './feedback.module.css';
import {
  type FeedbackViewProps,
  ListHead,
  NoFeedback,
  StateTag,
  useReasonText,
} from './list-parts.tsx';

/** The reported questions, each with its reports. */
export function QuestionsView({ search, onSearch }: FeedbackViewProps) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const { page = 1, sort = 'newest' } = search;
  const state = (search.state ?? 'open') as QuestionsFilter['state'];
  const list = useQuery(reportedQuestionsQuery({ state, sort, page }));
  const { data, refetch } = list;
  const here = page === 1 && state !== 'closed';
  // New reports are on the first page of the open ones.
  const showNew = useCallback(() => {
    if (here) void refetch();
    else onSearch({ view: 'questions' });
  }, [here, refetch, onSearch]);

  const failure = list.isError && (
    <RetryAlert busy={list.isFetching} onRetry={() => void refetch()}>
      {t('feedback.failed.fetch', { status: statusText(list.error) })}
    </RetryAlert>
  );
  if (!data) return failure || <SkeletonLines label={t('feedback.loading')} lines={8} />;
  const { questions, total, page_size: size, reports } = data;
  return (
    <div className={styles.list}>
      {failure}
      <ListHead
        amount={t('feedback.questions', {
          count: total,
          number: formatCount(total, i18n.language),
        })}
        then={reports}
        empty={questions.length === 0 && here}
        busy={list.isFetching}
        onShow={showNew}
      />
      {questions.length === 0 ? (
        <NoFeedback
          none={reports === 0}
          all={state === 'all' && page === 1}
          onAll={() => onSearch({ view: 'questions', state: 'all' })}
        />
      ) : (
        <ul
          className={styles.cards}
          aria-label={t('feedback.by_question')}
          aria-busy={list.isPlaceholderData || undefined}
        >
          {questions.map((question) => (
            <li key={question.id}>
              <QuestionCard question={question} />
            </li>
          ))}
        </ul>
      )}
      <PageButtons
        page={page}
        pages={Math.ceil(total / size)}
        onPage={(next) => onSearch({ ...search, page: next })}
      />
    </div>
  );
}

/** A reported question: the number of reports, reasons and comments, and the actions. */
function QuestionCard({ question: shown }: { question: ReportedQuestion }) {
  const { t, i18n } = useTranslation('admin');
  const { id, question, topic, language, reports, comments, last_reported_at: last } = shown;
  const count = (number: number) => formatCount(number, i18n.language);
  const heading = `reported-${id}`;
  return (
    <article className={styles.card} aria-labelledby={heading}>
      <div className={styles.what}>
        <p className={styles.facts}>
          <StateTag state={shown.state} />
          <span className="clamped">{topic}</span>
          <span>{languageName(language, i18n.language)}</span>
          {shown.retired && (
            <Tag data-color="neutral" data-size="sm">
              {t('feedback.retired')}
            </Tag>
          )}
        </p>
        <h2 id={heading} {...textIn(language)}>
          {question}
        </h2>
        <Reasons reasons={shown.reasons} />
        {comments.length > 0 && (
          <ul className={styles.comments} aria-label={t('feedback.comments')}>
            {comments.map(({ id: key, created_at: at, comment }) => (
              <li key={key}>
                <q>{comment}</q>
                <small>{formatShortDate(at, i18n.language)}</small>
              </li>
            ))}
          </ul>
        )}
        <p className={styles.amounts}>
          <strong>
            {t('feedback.reports', { count: reports.total, number: count(reports.total) })}
          </strong>
          {reports.open > 0 && reports.open < reports.total && (
            <span>{t('feedback.of_them_open', { number: count(reports.open) })}</span>
          )}
          <span>{t('feedback.last', { date: formatShortDateTime(last, i18n.language) })}</span>
          <Link to="/admin/dashboard/feedback" search={{ question: id }} className="ds-link">
            {t('feedback.see_each')}
          </Link>
        </p>
      </div>
      <CardActions question={shown} />
    </article>
  );
}

function Reasons({ reasons }: Pick<ReportedQuestion, 'reasons'>) {
  const { t, i18n } = useTranslation('admin');
  const reasonText = useReasonText();
  const given = Object.entries(reasons)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  return (
    <ul className={styles.reasons} aria-label={t('feedback.reasons')}>
      {given.map(([reason, count]) => (
        <li key={reason}>
          {reasonText(reason as keyof typeof reasons)}{' '}
          <strong>{formatCount(count, i18n.language)}</strong>
        </li>
      ))}
    </ul>
  );
}

const CLOSED = ['fixed', 'dismissed'] as const;

/** The actions: edit the question, close its reports, or reopen them. */
function CardActions({ question }: { question: ReportedQuestion }) {
  const { t } = useTranslation('admin');
  const mayEdit = useMayOpenQuestions();
  const change = useCloseFeedback();
  const closings = question.reports.open > 0 ? CLOSED : [];
  const name = (action: string) => `${action}: ${question.question}`;
  return (
    <div className={styles.actions}>
      {mayEdit && <EditLink question={question} />}
      {closings.map((to) => (
        <BusyButton
          key={to}
          variant="secondary"
          data-size="sm"
          busy={change.isPending && change.variables.to === to}
          resting={change.isPending}
          aria-label={name(t(`feedback.close_as.${to}`))}
          onClick={() => change.mutate({ question, to })}
        >
          {t(`feedback.close_as.${to}`)}
        </BusyButton>
      ))}
      {question.reports.open === 0 && (
        <BusyButton
          variant="tertiary"
          data-size="sm"
          busy={change.isPending}
          aria-label={name(t('feedback.reopen'))}
          onClick={() => change.mutate({ question, to: 'open' })}
        >
          {t('feedback.reopen')}
        </BusyButton>
      )}
    </div>
  );
}

/** A link to edit the question. */
function EditLink({ question: { id, question } }: { question: ReportedQuestion }) {
  const { t } = useTranslation('admin');
  const text = t('feedback.edit');
  return (
    <ButtonLink
      to="/admin/dashboard/questions/$id"
      params={{ id: String(id) }}
      data-size="sm"
      aria-label={`${text}: ${question}`}
    >
      {text}
    </ButtonLink>
  );
}

type Change = { question: ReportedQuestion; to: ReportedQuestion['state'] };

/**
 * Closes or reopens the reports of a question, and shows a notice with undo. The question stays in its place
 * in the list, with its new state.
 */
function useCloseFeedback() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();

  function mark({ id }: ReportedQuestion, to: Change['to'], reports: number) {
    const queryKey = [...feedbackKeys.lists, 'questions'];
    queryClient.setQueriesData<ReportedQuestions>(
      { queryKey },
      (list) =>
        list && {
          ...list,
          questions: list.questions.map((shown) => {
            if (shown.id !== id) return shown;
            const open = to === 'open' ? reports : shown.reports.open - reports;
            return { ...shown, state: to, reports: { ...shown.reports, open: Math.max(0, open) } };
          }),
        },
    );
  }

  const change = useMutation({
    mutationFn: ({ question, to }: Change) =>
      to === 'open'
        ? reopenFeedback(question.id)
        : closeFeedback(question.id, { state: to, reported_until: question.last_reported_at }),
    onSuccess: ({ reports }, { question, to }) => {
      mark(question, to, reports);
      const undo = {
        label: t('shell.undo'),
        onUndo: () => change.mutate({ question, to: 'open' }),
      };
      notify(t(`feedback.notice.${to}`), to === 'open' ? undefined : undo);
    },
    onError: (error, { to }) =>
      notify(
        t(to === 'open' ? 'feedback.failed.reopen' : 'feedback.failed.close', {
          reason: errorText(error),
        }),
      ),
  });
  return change;
}
