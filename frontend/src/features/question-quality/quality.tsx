import { Button, Checkbox, Fieldset, Tag } from '@digdir/designsystemet-react';
import type { QualityItem, QualityReason } from '@proveklar/contract/question-quality.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, StatTiles } from '#components/admin/admin-screen.tsx';
import { ConfirmDialog } from '#components/admin/confirm-action.tsx';
import { Choice } from '#components/admin/filters.tsx';
import { notify } from '#components/admin/notify.ts';
import { PageButtons } from '#components/admin/page-buttons.tsx';
import { lazyPart } from '#components/lazy-part.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Cluster, Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDate } from '#lib/format-compact.ts';
import { formatPercent } from '#lib/format.ts';
import { QUALITY } from '#lib/question-areas.ts';
import { textIn } from '#lib/question-language.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { dismissQuality, queueQuery, summaryQuery } from './api.ts';
import { CorrectKeyDialog } from './correct-key-dialog.tsx';
import { useFigureText } from './figure-text.ts';
import { MAX_PAGE, readQualitySearch, REASONS } from './quality-search.ts';
import styles from './question-quality.module.css';

// Lazy, because the chart library is larger than the rest of the page.
const QualityCharts = lazyPart(async () => (await import('./charts.tsx')).QualityCharts);

/** The quality of the bank: key figures, charts, and the review queue. */
export function QualityScreen() {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const summary = useQuery(summaryQuery);
  const { data } = summary;
  const count = (n: number | undefined) =>
    n === undefined ? undefined : formatCount(n, i18n.language);
  return (
    <AdminScreen
      title={t('quality.title')}
      lead={t('quality.lead')}
      actions={
        <ButtonLink to="/admin/dashboard/quality/coverage" variant="secondary">
          {t('coverage.title')}
        </ButtonLink>
      }
    >
      {summary.isError && (
        <RetryAlert busy={summary.isFetching} onRetry={() => void summary.refetch()}>
          {t('quality.failed_summary', { reason: errorText(summary.error) })}
        </RetryAlert>
      )}
      <div className={styles.tiles}>
        <StatTiles
          tiles={[
            ...REASONS.map((reason) => ({
              label: t(`quality.reason.${reason}`),
              value: count(data?.reasons[reason]),
            })),
            { label: t('quality.stat.measured'), value: count(data?.measured) },
            { label: t('quality.stat.too_few'), value: count(data?.too_few) },
          ]}
        />
      </div>
      {data && data.measured === 0 && (
        <p className="muted">{t('quality.nothing_measured', { threshold: data.threshold })}</p>
      )}
      {data && data.measured > 0 && (
        <QualityCharts
          summary={data}
          fallback={<div className={`ds-skeleton ${styles.unknown}`} />}
        />
      )}
      <ReviewQueue />
    </AdminScreen>
  );
}

type OpenDialog = { what: 'correct' | 'dismiss'; item: QualityItem };

/** The review queue: suspicious questions, the worst first. */
function ReviewQueue() {
  const { t, i18n } = useTranslation('admin');
  const [search, show] = useScreenSearch('/admin/dashboard/quality', readQualitySearch);
  const statusText = useStatusText();
  const queue = useQuery(queueQuery(search));
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const { reason, page = 1 } = search;
  const { questions = [], total = 0, page_size = 20 } = queue.data ?? {};
  const pages = Math.min(MAX_PAGE, Math.ceil(total / page_size));
  const close = () => setOpenDialog(undefined);
  const own = reason ? { reason } : {};

  // The last question of a page was handled.
  const isBeyond = queue.isSuccess && !queue.isPlaceholderData && total > 0 && page > pages;
  useEffect(() => {
    if (isBeyond) show({ ...(reason && { reason }), ...(pages > 1 && { page: pages }) });
  }, [isBeyond, show, reason, pages]);

  return (
    <Stack as="section" gap={5} aria-labelledby="review-queue">
      <div className={styles.head}>
        <div>
          <h2 id="review-queue">{t('quality.queue')}</h2>
          <p className="muted" role="status">
            {queue.isSuccess &&
              t('quality.queue_total', { count: total, n: formatCount(total, i18n.language) })}
          </p>
        </div>
        <div className={styles.filter}>
          <Choice
            label={t('quality.filter')}
            value={reason}
            all={t('quality.all_reasons')}
            options={REASONS.map((one) => [one, t(`quality.reason.${one}`)])}
            onChange={(chosen) => show(chosen ? { reason: chosen } : {})}
          />
        </div>
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
              onCorrect={() => setOpenDialog({ what: 'correct', item })}
              onDismiss={() => setOpenDialog({ what: 'dismiss', item })}
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
        id={openDialog?.what === 'correct' ? String(openDialog.item.id) : undefined}
        onClose={close}
      />
      {openDialog?.what === 'dismiss' && <DismissDialog item={openDialog.item} onClose={close} />}
    </Stack>
  );
}

type QueueItemProps = { item: QualityItem; onCorrect: () => void; onDismiss: () => void };

/** A suspicious question: the reasons, its statistics, and the actions. */
function QueueItem({ item, onCorrect, onDismiss }: QueueItemProps) {
  const { t, i18n } = useTranslation('admin');
  const figureText = useFigureText();
  const { id, question, answer, language, topic, preferred_distractor: wrong } = item;
  const number = (count: number) => formatCount(count, i18n.language);
  const own = { id };
  const facts = [
    { label: t('quality.answers'), value: number(item.answers) },
    { label: t('quality.facility'), value: figureText.facility(item.facility, !item.too_few) },
    {
      label: t('quality.discrimination_name'),
      value: figureText.discrimination(item.discrimination, !item.too_few),
    },
    { label: t('quality.measured_name'), value: figureText.measured(item.measured_difficulty) },
    { label: t('quality.open_reports'), value: number(item.open_reports) },
    ...(item.checked_at
      ? [{ label: t('quality.checked'), value: formatShortDate(item.checked_at, i18n.language) }]
      : []),
    ...(item.ages ? [{ label: t('quality.ages'), value: String(item.ages) }] : []),
  ];
  return (
    <li className={styles.item}>
      <p className={styles.reasons}>
        {item.reasons.map((reason) => (
          <Tag
            key={reason}
            data-size="sm"
            data-color={
              reason === 'source_outdated' || reason === 'fact_due' ? 'neutral' : 'warning'
            }
          >
            {t(`quality.reason.${reason}`)}
          </Tag>
        ))}
        <span className="clamped muted">{topic}</span>
      </p>
      <h3 {...textIn(language)}>
        <Link to="/admin/dashboard/questions/$id" params={{ id: String(id) }} className="ds-link">
          {question}
        </Link>
      </h3>
      <p>
        {t('quality.key_is')} <strong {...textIn(language)}>{answer}</strong>
        {item.key_share !== null && ` (${formatPercent(item.key_share, i18n.language)})`}
        {wrong && (
          <>
            {' · '}
            {t('quality.wrong_is')} <strong {...textIn(language)}>{wrong.option}</strong> (
            {formatPercent(wrong.share, i18n.language)})
          </>
        )}
      </p>
      {item.too_few && item.answers > 0 && <p className="muted">{t('quality.too_few_short')}</p>}
      <dl className={styles.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Cluster gap={2}>
        <ButtonLink
          to="/admin/dashboard/questions/$id"
          params={{ id: String(id) }}
          variant="secondary"
          data-size="sm"
          aria-label={t('quality.which.edit', own)}
        >
          {t('quality.edit')}
        </ButtonLink>
        <Button
          variant="secondary"
          data-size="sm"
          aria-label={t('quality.which.correct', own)}
          onClick={onCorrect}
        >
          {t('quality.correct.button')}
        </Button>
        <Button
          variant="tertiary"
          data-size="sm"
          aria-label={t('quality.which.dismiss', own)}
          onClick={onDismiss}
        >
          {t('quality.dismiss.button')}
        </Button>
      </Cluster>
    </li>
  );
}

type DismissDialogProps = { item: QualityItem; onClose: () => void };

/** Asks which reasons to dismiss; the question leaves the queue for them. */
function DismissDialog({ item, onClose }: DismissDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<readonly QualityReason[]>(item.reasons);
  const dismissal = useMutation({
    mutationFn: () => dismissQuality(item.id, chosen),
    onSuccess: () => {
      notify(t('quality.dismiss.done', { id: item.id }));
      onClose();
    },
    // Also after a failure, because some reasons may have been dismissed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUALITY }),
  });
  return (
    <ConfirmDialog
      open
      title={t('quality.dismiss.title')}
      action={t('quality.dismiss.button')}
      tone="primary"
      busy={dismissal.isPending}
      error={
        dismissal.isError ? t('quality.dismiss.failed', { reason: errorText(dismissal.error) }) : ''
      }
      onConfirm={() => chosen.length > 0 && dismissal.mutate()}
      onClose={onClose}
    >
      <p {...textIn(item.language)}>
        <strong>{item.question}</strong>
      </p>
      <p>{t('quality.dismiss.text')}</p>
      {item.reasons.length > 1 && (
        <Fieldset>
          <Fieldset.Legend>{t('quality.dismiss.which')}</Fieldset.Legend>
          {item.reasons.map((reason) => (
            <Checkbox
              key={reason}
              label={t(`quality.reason.${reason}`)}
              checked={chosen.includes(reason)}
              onChange={({ currentTarget }) =>
                setChosen(
                  item.reasons.filter((one) =>
                    one === reason ? currentTarget.checked : chosen.includes(one),
                  ),
                )
              }
            />
          ))}
        </Fieldset>
      )}
    </ConfirmDialog>
  );
}
