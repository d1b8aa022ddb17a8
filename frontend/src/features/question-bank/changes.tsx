import type { QuestionChange } from '@proveklar/contract/question-changes.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareBar } from '#components/admin/admin-screen.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { actOnChange, canUndo, changesQuery, isUnderWay } from './api.ts';
import styles from './questions.module.css';

/** The running bulk changes of all administrators. */
export function RunningChanges() {
  const { data: changes = [] } = useQuery(changesQuery);
  useChangeNotices();
  const running = changes.filter(isUnderWay);
  return running.map((change) => <Progress key={`${change.id} ${change.state}`} change={change} />);
}

function Progress({ change }: { change: QuestionChange }) {
  const { t, i18n } = useTranslation('admin');
  const changeText = useChangeText();
  const label = changeText(change);
  const act = useActOnChange();
  const { id, state, total, done, changed } = change;
  const number = (n: number) => formatCount(n, i18n.language);
  // An undo counts `changed` down, from its value when this page first read it.
  const [atFirst] = useState(changed);
  const [part, whole] = state === 'undoing' ? [atFirst - changed, atFirst] : [done, total];
  const share = whole === 0 ? 1 : Math.min(1, Math.max(0, part / whole));
  const amount = t('questions.change.amount', { done: number(part), total: number(whole) });
  return (
    <section className={styles.running} aria-label={label}>
      <ShareBar label={label} amount={amount} share={share} />
      {state === 'running' && (
        <BusyButton
          className={styles.cancel}
          variant="secondary"
          data-size="sm"
          busy={act.isPending}
          onClick={() => act.mutate({ id, action: 'cancel' })}
        >
          {t('questions.change.cancel')}
        </BusyButton>
      )}
    </section>
  );
}

/** The latest bulk changes, each with a button to undo it. */
export function RecentChanges() {
  const { t, i18n } = useTranslation('admin');
  const changeText = useChangeText();
  const { data = [] } = useQuery(changesQuery);
  const act = useActOnChange();
  const changes = data.filter((change) => !isUnderWay(change));
  if (changes.length === 0) return null;
  return (
    <details className={styles.recent}>
      <summary>{t('questions.change.recent')}</summary>
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={change.id} className={styles.entry}>
            <div>
              <p className={styles.what}>{changeText(change)}</p>
              <p className="muted">
                <time dateTime={change.created_at}>
                  {formatShortDateTime(change.created_at, i18n.language)}
                </time>{' '}
                · {change.actor}
                {change.state === 'cancelled' && ` · ${t('questions.change.cancelled')}`}
              </p>
            </div>
            {canUndo(change) && (
              <BusyButton
                variant="tertiary"
                data-size="sm"
                busy={act.isPending && act.variables.id === change.id}
                aria-label={t('questions.change.undo_which', { what: changeText(change) })}
                onClick={() => act.mutate({ id: change.id, action: 'undo' })}
              >
                {t('shell.undo')}
              </BusyButton>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Cancels or undoes a bulk change. */
function useActOnChange() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: 'cancel' | 'undo' }) =>
      actOnChange(id, action),
    onSuccess: ({ state }) => {
      if (state === 'undone') notify(t('questions.notice.undone'));
    },
    onError: (error) => notify(t('questions.failed.change', { reason: errorText(error) })),
    onSettled: () => refreshQuestions(queryClient),
  });
}

/** Shows a notice of a change, with undo. */
export function useSayChanged() {
  const { t } = useTranslation('admin');
  const changeText = useChangeText();
  const { mutate } = useActOnChange();
  return (change: QuestionChange) => {
    const { id } = change;
    const undo = { label: t('shell.undo'), onUndo: () => mutate({ id, action: 'undo' }) };
    notify(changeText(change), canUndo(change) ? undo : undefined);
  };
}

/** Shows a notice when a change that this page has seen running has ended. */
function useChangeNotices(): void {
  const queryClient = useQueryClient();
  const { data: changes } = useQuery(changesQuery);
  const sayChanged = useSayChanged();
  const underWay = useRef(new Set<string>());
  useEffect(() => {
    for (const change of changes ?? []) {
      if (isUnderWay(change)) underWay.current.add(change.id);
      else if (underWay.current.delete(change.id)) {
        sayChanged(change);
        void refreshQuestions(queryClient);
      }
    }
  });
}

/** A bulk change as a sentence. */
function useChangeText() {
  const { t, i18n } = useTranslation('admin');
  return useCallback(
    ({ action, state, total, changed, topic }: QuestionChange): string => {
      const running = state === 'running';
      const count = running ? total : changed;
      const n = formatCount(count, i18n.language);
      const values = { count, n, topic: topic ?? '' };
      if (state === 'undoing') return t('questions.change.undoing', values);
      if (state === 'undone') return t(`questions.change.undone.${action}`, values);
      return running
        ? t(`questions.change.running.${action}`, values)
        : t(`questions.change.done.${action}`, values);
    },
    [t, i18n],
  );
}
