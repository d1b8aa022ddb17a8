import { Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { reportsQuery, type ReportsWish } from '../api.ts';
import type { FeedbackViewProps } from '../view-props.ts';
import styles from './feedback.module.css';
import { ListHead } from './list-head.tsx';
import { NoFeedback } from './no-feedback.tsx';
import { ReportTable } from './report-table.tsx';

/** Every report by itself, the newest first. */
export function ReportsView({ search, onSearch }: FeedbackViewProps) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const { page = 1, question } = search;
  const state = search.state as ReportsWish['state'];
  const wish = { page, state, question_id: question };
  const list = useQuery(reportsQuery(wish));
  const { data, refetch } = list;
  const here = page === 1 && question === undefined && (state ?? 'open') === 'open';
  const showNew = useCallback(() => {
    if (here) void refetch();
    else onSearch({});
  }, [here, refetch, onSearch]);

  if (list.isPending) return <SkeletonLines label={t('feedback.loading')} lines={8} />;
  if (list.isError || !data) {
    return (
      <RetryAlert busy={list.isFetching} onRetry={() => void refetch()}>
        {t('feedback.failed.fetch', { status: statusText(list.error) })}
      </RetryAlert>
    );
  }
  const { feedback, total, page_size: size, reports } = data;
  return (
    <div className={styles.list}>
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
