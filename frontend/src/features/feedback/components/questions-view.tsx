import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { type QuestionsWish, reportedQuestionsQuery } from '../api.ts';
import type { FeedbackViewProps } from '../view-props.ts';
import styles from './feedback.module.css';
import { ListHead } from './list-head.tsx';
import { NoFeedback } from './no-feedback.tsx';
import { QuestionCard } from './question-card.tsx';

/** The questions that were reported, each with what is said about it. */
export function QuestionsView({ search, onSearch }: FeedbackViewProps) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const { page = 1, sort = 'newest' } = search;
  const state = (search.state ?? 'open') as QuestionsWish['state'];
  const list = useQuery(reportedQuestionsQuery({ state, sort, page }));
  const { data, refetch } = list;
  const here = page === 1 && state !== 'closed';
  // What is new is on the first page of what is open.
  const showNew = useCallback(() => {
    if (here) void refetch();
    else onSearch({ view: 'questions' });
  }, [here, refetch, onSearch]);

  if (list.isPending) return <SkeletonLines label={t('feedback.loading')} lines={8} />;
  if (list.isError || !data) {
    return (
      <RetryAlert busy={list.isFetching} onRetry={() => void refetch()}>
        {t('feedback.failed.fetch', { status: statusText(list.error) })}
      </RetryAlert>
    );
  }
  const { questions, total, page_size: size, reports } = data;
  return (
    <div className={styles.list}>
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
