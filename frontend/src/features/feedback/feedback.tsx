import { Button, Field, Label, Select, ToggleGroup } from '@digdir/designsystemet-react';
import { ThumbDownIcon } from '@navikt/aksel-icons';
import type { FeedbackItem } from '@proveklar/contract/feedback.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { useMayOpenQuestions } from '#components/admin/role.ts';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { reportsQuery, type ReportsFilter } from './api.ts';
import styles from './feedback.module.css';
import {
  type FeedbackViewProps,
  ListHead,
  NoFeedback,
  StateTag,
  useReasonText,
} from './list-parts.tsx';
import { QuestionsView } from './questions-view.tsx';
import { readFeedbackSearch } from './search.ts';
import { shorten } from './shorten.ts';

/** The learners' reports, one by one or by question. */
export function FeedbackScreen() {
  const { t } = useTranslation('admin');
  const [search, onSearch] = useScreenSearch('/admin/dashboard/feedback', readFeedbackSearch);
  return (
    <AdminScreen title={t('feedback.title')} lead={t('feedback.lead')}>
      <FeedbackFilters search={search} onSearch={onSearch} />
      {search.view === 'questions' ? (
        <QuestionsView search={search} onSearch={onSearch} />
      ) : (
        <ReportsView search={search} onSearch={onSearch} />
      )}
    </AdminScreen>
  );
}

const QUESTION_STATES = ['open', 'closed', 'all'] as const;
const REPORT_STATES = ['all', 'open', 'fixed', 'dismissed'] as const;

/** The view, filter and order of the reports. */
function FeedbackFilters({ search, onSearch }: FeedbackViewProps) {
  const { t } = useTranslation('admin');
  const single = search.view !== 'questions';
  const states = single ? REPORT_STATES : QUESTION_STATES;
  const { page: _page, ...kept } = search;
  return (
    <search className={styles.filters} aria-label={t('feedback.filter')}>
      <ToggleGroup
        className={styles.views}
        value={single ? 'reports' : 'questions'}
        onChange={(view) => onSearch(readFeedbackSearch({ view }))}
        data-toggle-group={t('feedback.view')}
      >
        <ToggleGroup.Item value="reports">{t('feedback.one_by_one')}</ToggleGroup.Item>
        <ToggleGroup.Item value="questions">{t('feedback.by_question')}</ToggleGroup.Item>
      </ToggleGroup>
      <Field>
        <Label>{t('feedback.status')}</Label>
        <Select
          value={search.state ?? (single ? 'all' : 'open')}
          onChange={(event) =>
            onSearch(readFeedbackSearch({ ...kept, state: event.currentTarget.value }))
          }
        >
          {states.map((state) => (
            <Select.Option key={state} value={state}>
              {t(`feedback.filter_state.${state}`)}
            </Select.Option>
          ))}
        </Select>
      </Field>
      {!single && (
        <Field>
          <Label>{t('feedback.sort')}</Label>
          <Select
            value={search.sort ?? 'newest'}
            onChange={(event) =>
              onSearch(readFeedbackSearch({ ...kept, sort: event.currentTarget.value }))
            }
          >
            <Select.Option value="newest">{t('feedback.sort_newest')}</Select.Option>
            <Select.Option value="reports">{t('feedback.sort_reports')}</Select.Option>
          </Select>
        </Field>
      )}
    </search>
  );
}

/** Single reports, the newest first. */
function ReportsView({ search, onSearch }: FeedbackViewProps) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const { page = 1, question } = search;
  const state = search.state as ReportsFilter['state'];
  const filter = { page, state, question_id: question };
  const list = useQuery(reportsQuery(filter));
  const { data, refetch } = list;
  const here = page === 1 && question === undefined && (state ?? 'open') === 'open';
  const showNew = useCallback(() => {
    if (here) void refetch();
    else onSearch({});
  }, [here, refetch, onSearch]);

  const failure = list.isError && (
    <RetryAlert busy={list.isFetching} onRetry={() => void refetch()}>
      {t('feedback.failed.fetch', { status: statusText(list.error) })}
    </RetryAlert>
  );
  if (!data) return failure || <SkeletonLines label={t('feedback.loading')} lines={8} />;
  const { feedback, total, page_size: size, reports } = data;
  return (
    <div className={styles.list}>
      {failure}
      <ListHead
        amount={t('feedback.reports', { count: total, number: formatCount(total, i18n.language) })}
        then={reports}
        empty={feedback.length === 0 && here}
        busy={list.isFetching}
        onShow={showNew}
      />
      {question !== undefined && (
        <div className={styles.one}>
          <p>{t('feedback.of_question', { id: question })}</p>
          <Button variant="tertiary" data-size="sm" onClick={() => onSearch({})}>
            {t('feedback.all_questions')}
          </Button>
        </div>
      )}
      {feedback.length === 0 ? (
        <NoFeedback
          none={reports === 0}
          all={state === undefined && question === undefined && page === 1}
          onAll={() => onSearch({})}
        />
      ) : (
        <ReportTable feedback={feedback} busy={list.isPlaceholderData} />
      )}
      <PageButtons
        page={page}
        pages={Math.ceil(total / size)}
        onPage={(next) => onSearch({ ...search, page: next })}
      />
    </div>
  );
}

/** The specified columns, with the learner's reason and comment. */
function ReportTable({ feedback, busy }: { feedback: FeedbackItem[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const reasonText = useReasonText();
  const isLinked = useMayOpenQuestions();
  const columns: Column<FeedbackItem>[] = [
    {
      key: 'date',
      header: t('feedback.column.date'),
      render: ({ created_at: at }) => (
        <time className={styles.date} dateTime={at}>
          {formatShortDateTime(at, i18n.language)}
        </time>
      ),
    },
    {
      key: 'user',
      header: t('feedback.column.user'),
      render: (item) => <span className={styles.user}>{item.user_email ?? '–'}</span>,
    },
    {
      key: 'test',
      header: t('feedback.column.test'),
      render: (item) => <span className={styles.id}>{item.quiz_id}</span>,
    },
    {
      key: 'topic',
      header: t('feedback.column.topic'),
      render: (item) => <span className="clamped">{item.topic}</span>,
    },
    {
      key: 'question',
      header: t('feedback.column.question'),
      primary: true,
      render: ({ question_id, question }) =>
        isLinked ? (
          <Link
            to="/admin/dashboard/questions/$id"
            params={{ id: String(question_id) }}
            className="ds-link"
            title={question}
          >
            {shorten(question)}
          </Link>
        ) : (
          <span title={question}>{shorten(question)}</span>
        ),
    },
    {
      key: 'type',
      header: t('feedback.column.type'),
      render: ({ reason, comment }) => (
        <div className={styles.type}>
          <span>
            <ThumbDownIcon aria-hidden /> {t('feedback.thumbs_down')}
          </span>
          {reason && <span>{reasonText(reason)}</span>}
          {comment && <q>{comment}</q>}
        </div>
      ),
    },
    {
      key: 'status',
      header: t('feedback.column.status'),
      render: ({ state }) => <StateTag state={state} />,
    },
  ];
  return (
    <DataTable
      caption={t('feedback.one_by_one')}
      columns={columns}
      rows={feedback}
      rowKey={({ id }) => id}
      busy={busy}
    />
  );
}
