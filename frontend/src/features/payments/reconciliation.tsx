import { Field, Label, Select } from '@digdir/designsystemet-react';
import type { Reconciliation } from '@proveklar/contract/admin-payments.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsOwner } from '#components/admin/role.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatShortDateTime } from '#lib/format-compact.ts';
import { paymentsKeys, reconciliationQuery, requestReconciliation } from './api.ts';
import styles from './payments.module.css';

/** Days back; 0 only processes events of Stripe that never arrived. */
const PERIODS = [0, 7, 30, 90] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

type ReconciliationPanelProps = {
  /** The last completed one. */
  last: Reconciliation | null;
  /** One that was requested, here or elsewhere, and is not done. */
  running: Reconciliation | null;
};

/** The last reconciliation with Stripe, and a button to start another. */
export function ReconciliationPanel({ last, running }: ReconciliationPanelProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [days, setDays] = useState(0);
  const [requested, setRequested] = useState<Reconciliation>();
  const mine = useQuery({
    ...reconciliationQuery(requested?.id ?? ''),
    initialData: requested,
    enabled: requested !== undefined,
  });
  const order = useMutation({
    mutationFn: requestReconciliation,
    onSuccess: (run) => {
      setRequested(run);
      return queryClient.invalidateQueries({ queryKey: paymentsKeys.summary() });
    },
  });
  const isMineDone = mine.data?.state === 'done';
  // The summary may not include my reconciliation yet, or not its end.
  const ongoing =
    mine.data && (!isMineDone || running?.id === mine.data.id) ? mine.data : (running ?? undefined);
  const done = isMineDone ? mine.data : last;
  // Another administrator's run does not disable the button, because its worker may have died.
  const busy = order.isPending || (mine.data !== undefined && !isMineDone);

  function compare() {
    const since = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
    order.mutate(days === 0 ? {} : { since });
  }

  return (
    <section className={styles.panel} aria-labelledby="reconciliation">
      <h2 id="reconciliation" className={styles.heading}>
        {t('payments.run.title')}
      </h2>
      <p className="muted">{t('payments.run.lead')}</p>
      <div role="status">
        {ongoing && ongoing.state !== 'done' && <p>{t(`payments.run.${ongoing.state}`)}</p>}
        {done && <RunResult run={done} />}
        {!ongoing && !done && <p>{t('payments.run.none')}</p>}
      </div>
      <FormAlert>
        {order.isError ? t('payments.failed.run', { reason: errorText(order.error) }) : ''}
      </FormAlert>
      {isOwner && (
        <div className={styles.order}>
          <Field>
            <Label>{t('payments.run.period')}</Label>
            <Select
              value={String(days)}
              onChange={(event) => setDays(Number(event.currentTarget.value))}
            >
              {PERIODS.map((period) => (
                <Select.Option key={period} value={String(period)}>
                  {period === 0
                    ? t('payments.run.missed')
                    : t('payments.run.days', { count: period })}
                </Select.Option>
              ))}
            </Select>
          </Field>
          <BusyButton variant="secondary" busy={busy} onClick={compare}>
            {t('payments.run.compare')}
          </BusyButton>
        </div>
      )}
    </section>
  );
}

function RunResult({ run }: { run: Reconciliation }) {
  const { t, i18n } = useTranslation('admin');
  const { done_at, created_at, unknown_intents: unknown } = run;
  const found = [
    t('payments.run.events_missed', { count: run.events_missed }),
    ...(run.since ? [t('payments.run.checked', { count: run.payments_checked })] : []),
    t('payments.run.changed', { count: run.payments_changed }),
  ];
  return (
    <>
      <p>
        {t('payments.run.done', {
          date: formatShortDateTime(done_at ?? created_at, i18n.language),
        })}{' '}
        {found.join(' ')}
      </p>
      {unknown.length > 0 && (
        <p>
          <strong>{t('payments.run.unknown', { count: unknown.length })}</strong>{' '}
          <span className={styles.ids}>{unknown.join(', ')}</span>
        </p>
      )}
    </>
  );
}
