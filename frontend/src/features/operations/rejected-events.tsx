import { Button, Textfield } from '@digdir/designsystemet-react';
import type { RejectedEvent } from '@proveklar/contract/operations.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { AppDialog } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { Form } from '#components/form.tsx';
import { Cluster } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { dismissEvents, operationsKeys, rejectedEventsQuery, retryEvents } from './api.ts';
import styles from './operations.module.css';

/** The events that no worker could process: retry them, or dismiss one with a reason. */
export function RejectedEvents() {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(rejectedEventsQuery);
  const [dismissed, setDismissed] = useState<RejectedEvent>();
  const retrying = useRetry();
  const { events = [], total = 0 } = found.data ?? {};
  const number = (count: number) => formatCount(count, i18n.language);
  const columns: Column<RejectedEvent>[] = [
    {
      key: 'name',
      header: t('operations.events.name'),
      primary: true,
      render: ({ id, name }) => `${id} · ${name}`,
    },
    { key: 'queue', header: t('operations.queue.name'), render: ({ queue }) => queue },
    {
      key: 'reason',
      header: t('operations.events.reason'),
      render: ({ reason, sqlstate }) => (
        <span lang="en">
          {reason} {sqlstate && <span className="muted">({sqlstate})</span>}
        </span>
      ),
    },
    {
      key: 'attempts',
      header: t('operations.events.attempts'),
      align: 'end',
      render: ({ attempts }) => number(attempts),
    },
    {
      key: 'rejected',
      header: t('operations.events.rejected'),
      render: ({ rejected_at: at }) => formatShortDateTime(at, i18n.language),
    },
    {
      key: 'actions',
      header: t('operations.events.actions'),
      bare: true,
      render: (event) => (
        <Cluster gap={2}>
          <BusyButton
            data-size="sm"
            variant="secondary"
            busy={retrying.isPending && retrying.variables.includes(event.id)}
            aria-label={t('operations.events.retry_which', { id: event.id })}
            onClick={() => retrying.mutate([event.id])}
          >
            {t('operations.events.retry')}
          </BusyButton>
          <Button
            data-size="sm"
            variant="tertiary"
            aria-label={t('operations.events.dismiss_which', { id: event.id })}
            onClick={() => setDismissed(event)}
          >
            {t('operations.events.dismiss')}
          </Button>
        </Cluster>
      ),
    },
  ];
  return (
    <section className={styles.section} aria-labelledby="operations-events">
      <h2 id="operations-events">{t('operations.events.title')}</h2>
      {found.isPending && <SkeletonLines label={t('operations.events.loading')} lines={3} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('operations.events.failed', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.isSuccess && total === 0 && <p className="muted">{t('operations.events.none')}</p>}
      {events.length > 0 && (
        <>
          <p>{t('operations.events.text')}</p>
          <DataTable
            caption={t('operations.events.title')}
            columns={columns}
            rows={events}
            rowKey={({ id }) => id}
          />
          <Cluster gap={3} align="center">
            {events.length > 1 && (
              <BusyButton
                data-size="sm"
                variant="secondary"
                busy={retrying.isPending}
                onClick={() => retrying.mutate(events.map(({ id }) => id))}
              >
                {t('operations.events.retry_all')}
              </BusyButton>
            )}
            {total > events.length && (
              <p className="muted">
                {t('operations.events.more', {
                  shown: number(events.length),
                  total: number(total),
                })}
              </p>
            )}
          </Cluster>
        </>
      )}
      <AppDialog
        open={dismissed !== undefined}
        title={t('operations.events.dismiss_title')}
        onClose={() => setDismissed(undefined)}
      >
        <p>{t('operations.events.dismiss_text')}</p>
        {dismissed && <DismissForm event={dismissed} onClose={() => setDismissed(undefined)} />}
      </AppDialog>
    </section>
  );
}

function useRetry() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[]) => retryEvents({ ids }),
    onSuccess: (_, { length: count }) => notify(t('operations.events.retried', { count })),
    onError: (error) => notify(t('operations.events.not_done', { reason: errorText(error) })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: operationsKeys.all }),
  });
}

function DismissForm({ event, onClose }: { event: RejectedEvent; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [faults, setFaults] = useState<{ reason?: string }>({});
  const dismissing = useMutation({
    mutationFn: () => dismissEvents({ ids: [event.id], reason }),
    onSuccess: () => {
      notify(t('operations.events.dismissed'));
      onClose();
      return queryClient.invalidateQueries({ queryKey: operationsKeys.all });
    },
  });

  function dismiss() {
    const isBlank = reason.trim() === '';
    setFaults(isBlank ? { reason: t('operations.events.dismiss_missing') } : {});
    if (!isBlank) dismissing.mutate();
  }

  return (
    <Form
      submit={t('operations.events.dismiss')}
      busy={dismissing.isPending}
      faults={faults}
      error={
        dismissing.isError
          ? t('operations.events.not_done', { reason: errorText(dismissing.error) })
          : ''
      }
      attempt={dismissing.submittedAt}
      onSubmit={dismiss}
      onCancel={onClose}
    >
      <Textfield
        label={t('operations.events.dismiss_reason')}
        autoComplete="off"
        maxLength={500}
        value={reason}
        error={faults.reason}
        onChange={({ currentTarget }) => {
          setFaults({});
          setReason(currentTarget.value);
        }}
      />
    </Form>
  );
}
