import type { QualityItem } from '@proveklar/contract/question-quality.ts';
import { Button, Field, Label, Select } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { queueQuery } from '../api.ts';
import { MOST_PAGES, readQualitySearch, REASONS } from '../quality-search.ts';
import { CorrectKeyDialog } from './correct-key-dialog.tsx';
import { DismissDialog } from './dismiss-dialog.tsx';
import { QueueItem } from './queue-item.tsx';
import styles from './quality-screen.module.css';

type Asked = { what: 'correct' | 'dismiss'; item: QualityItem };

/** The questions that look wrong, the worst first. */
export function ReviewQueue() {
  const { t, i18n } = useTranslation('admin');
  const [search, show] = useScreenSearch('/admin/dashboard/quality', readQualitySearch);
  const statusText = useStatusText();
  const queue = useQuery(queueQuery(search));
  const [asked, setAsked] = useState<Asked>();
  const { reason, page = 1 } = search;
  const { questions = [], total = 0, page_size = 20 } = queue.data ?? {};
  const pages = Math.min(MOST_PAGES, Math.ceil(total / page_size));
  const close = () => setAsked(undefined);
  const own = reason ? { reason } : {};

  // The last one of a page was dealt with.
  const isBeyond = queue.isSuccess && !queue.isPlaceholderData && total > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) show({ ...(reason && { reason }), ...(pages > 1 && { page: pages }) });
  }, [isBeyond, show, reason, pages]);

  return (
    <section className={styles.queue} aria-labelledby="review-queue">
      <div className={styles.head}>
        <div>
          <h2 id="review-queue">{t('quality.queue')}</h2>
          <p className="muted" role="status">
            {queue.isSuccess &&
              t('quality.queue_total', { count: total, n: formatCount(total, i18n.language) })}
          </p>
        </div>
        <Field className={styles.filter}>
          <Label>{t('quality.filter')}</Label>
          <Select
            value={reason ?? ''}
            onChange={({ currentTarget }) => {
              const chosen = REASONS.find((one) => one === currentTarget.value);
              show(chosen ? { reason: chosen } : {});
            }}
          >
            <Select.Option value="">{t('quality.all_reasons')}</Select.Option>
            {REASONS.map((one) => (
              <Select.Option key={one} value={one}>
                {t(`quality.reason.${one}`)}
              </Select.Option>
            ))}
          </Select>
        </Field>
      </div>
      {queue.isPending && <SkeletonLines label={t('quality.loading')} lines={8} />}
      {queue.isError && (
        <RetryAlert busy={queue.isFetching} onRetry={() => void queue.refetch()}>
          {t('quality.failed', { status: statusText(queue.error) })}
        </RetryAlert>
      )}
      {queue.isSuccess && total === 0 && (
        <EmptyState title={t(reason ? 'quality.none_match' : 'quality.none')}>
          <p>{t(reason ? 'quality.none_match_text' : 'quality.none_text')}</p>
          {reason && (
            <Button variant="secondary" onClick={() => show({})}>
              {t('quality.show_all')}
            </Button>
          )}
        </EmptyState>
      )}
      {questions.length > 0 && (
        <ul className={styles.items} aria-busy={queue.isPlaceholderData || undefined}>
          {questions.map((item) => (
            <QueueItem
              key={item.id}
              item={item}
              onCorrect={() => setAsked({ what: 'correct', item })}
              onDismiss={() => setAsked({ what: 'dismiss', item })}
            />
          ))}
        </ul>
      )}
      <PageButtons
        page={page}
        pages={pages}
        onPage={(next) => show(next === 1 ? own : { ...own, page: next })}
      />
      <CorrectKeyDialog
        id={asked?.what === 'correct' ? String(asked.item.id) : undefined}
        onClose={close}
      />
      {asked?.what === 'dismiss' && <DismissDialog item={asked.item} onClose={close} />}
    </section>
  );
}
