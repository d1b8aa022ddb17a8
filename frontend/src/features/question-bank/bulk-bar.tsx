import { Button, Select } from '@digdir/designsystemet-react';
import { MAX_SELECTED_IDS } from '@proveklar/contract/limits.ts';
import type {
  QuestionChangeAction,
  QuestionSelection,
} from '@proveklar/contract/question-changes.ts';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { changeQuestions, isUnderWay, questionKeys } from './api.ts';
import { type BankSearch, filterOf } from './bank-search.ts';
import { BulkFieldsDialog, FIELD_ACTIONS, type FieldAction } from './bulk-fields-dialog.tsx';
import { useSayChanged } from './changes.tsx';
import styles from './questions.module.css';
import { TopicDialog } from './topic-dialog.tsx';

type BulkBarProps = { search: BankSearch; total: number; selected: Selected };

/** Up to this many questions are changed without a confirmation, because it can be undone at once. */
const MAX_WITHOUT_CONFIRMATION = 20;

/** The bulk actions for the selected questions; shown while any are selected. */
export function BulkBar({ search, total, selected }: BulkBarProps) {
  const { t, i18n } = useTranslation('admin');
  const [isTopicAsked, setTopicAsked] = useState(false);
  const [asked, setAsked] = useState<FieldAction>();
  const change = useBulkChange(() => {
    setTopicAsked(false);
    setAsked(undefined);
    selected.clear();
  });
  const count = selected.countOf(total);
  const counted = { count, n: formatCount(count, i18n.language) };
  const selection = selected.value();

  function begin(action: StateAction | 'retopic') {
    if (action === 'retopic') setTopicAsked(true);
    else if (count > MAX_WITHOUT_CONFIRMATION || action === 'retire') askTo(action);
    else change.mutate({ action, selection });
  }

  function askTo(action: StateAction) {
    confirmAction({
      title: t(`questions.bulk_title.${action}`, counted),
      body: (
        <>
          <p>{t(`questions.bulk_text.${action}`)}</p>
          <p className="muted">{t('questions.bulk_undo')}</p>
        </>
      ),
      action: t(`questions.action.${action}`),
      tone: action === 'retire' ? 'danger' : 'primary',
      run: () => change.mutateAsync({ action, selection }),
      // A notice shows the error, as without a confirmation.
      describeError: () => '',
    });
  }

  return (
    <>
      <p className="ds-sr-only" role="status">
        {count > 0 ? t('questions.chosen', counted) : ''}
      </p>
      {count > 0 && (
        <section className={styles.bar} aria-label={t('questions.bulk')}>
          <div className={styles.count}>
            <strong>{t('questions.chosen', counted)}</strong>
            {!selected.all && total > count && (
              <Button variant="tertiary" data-size="sm" onClick={selected.takeAll}>
                {t('questions.choose_all', { count: total, n: formatCount(total, i18n.language) })}
              </Button>
            )}
            <Button variant="tertiary" data-size="sm" onClick={selected.clear}>
              {t('questions.choose_none')}
            </Button>
          </div>
          <div className={styles.bulkActions}>
            {actionsFor(search).map((action) => (
              <Button
                key={action}
                variant={action === 'validate' ? 'primary' : 'secondary'}
                data-size="sm"
                data-color={action === 'retire' ? 'danger' : 'primary'}
                aria-disabled={change.isPending || undefined}
                onClick={() => change.isPending || begin(action)}
              >
                {t(`questions.action.${action}`)}
              </Button>
            ))}
            <Select
              data-size="sm"
              className={styles.more ?? ''}
              aria-label={t('questions.bulk_more')}
              value=""
              onChange={({ currentTarget }) =>
                setAsked(FIELD_ACTIONS.find((action) => action === currentTarget.value))
              }
            >
              <Select.Option value="">{t('questions.bulk_more')}</Select.Option>
              {FIELD_ACTIONS.map((action) => (
                <Select.Option key={action} value={action}>
                  {t(`questions.action.${action}`)}
                </Select.Option>
              ))}
            </Select>
          </div>
        </section>
      )}
      <BulkFieldsDialog
        action={asked}
        title={asked ? t(`questions.bulk_title.${asked}`, counted) : ''}
        busy={change.isPending}
        onSave={(values) => asked && change.mutate({ action: asked, values, selection })}
        onClose={() => setAsked(undefined)}
      />
      <TopicDialog
        open={isTopicAsked}
        title={t('questions.bulk_title.retopic', counted)}
        topic=""
        busy={change.isPending}
        error=""
        onSave={(topic) => change.mutate({ action: 'retopic', selection, topic })}
        onClose={() => {
          change.reset();
          setTopicAsked(false);
        }}
      />
    </>
  );
}

/** The actions without values. */
type StateAction = Exclude<QuestionChangeAction, 'retopic' | FieldAction>;

/** The actions that can change questions of the current list. */
function actionsFor({ state = 'active' }: BankSearch): (StateAction | 'retopic')[] {
  if (state === 'retired') return ['restore', 'retopic'];
  const usual: (StateAction | 'retopic')[] = ['validate', 'unvalidate', 'retopic', 'retire'];
  return state === 'all' ? [...usual, 'restore'] : usual;
}

/** Starts a bulk change, and shows a notice if it is done at once. */
export function useBulkChange(onBegun: () => void) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const sayChanged = useSayChanged();
  return useMutation({
    mutationFn: changeQuestions,
    onSuccess: async (change) => {
      onBegun();
      if (isUnderWay(change)) {
        // Shown as running before it may end: a page that has seen it running shows a notice at its end.
        await queryClient.cancelQueries({ queryKey: questionKeys.changes() });
        queryClient.setQueryData(questionKeys.changes(), (known: (typeof change)[] = []) => [
          change,
          ...known.filter(({ id }) => id !== change.id),
        ]);
      } else sayChanged(change);
    },
    onError: (error) => notify(t('questions.failed.change', { reason: errorText(error) })),
    // Not awaited: the mutation is done once the change has started.
    onSettled: () => void refreshQuestions(queryClient),
  });
}

const NONE: ReadonlySet<number> = new Set();

/** The selection: single questions across pages, or all matching ones. Another filter clears it. */
export function useSelection(search: BankSearch) {
  const filter = filterOf(search);
  const key = JSON.stringify(filter);
  const [kept, setKept] = useState({ key, ids: NONE, all: false });
  const { ids, all } = kept.key === key ? kept : { ids: NONE, all: false };
  const set = (next: { ids: ReadonlySet<number>; all: boolean }) => setKept({ key, ...next });

  /** Deselecting one of all matching questions keeps the others on the page selected. */
  function toggle(
    questions: readonly BankQuestion[],
    chosen: boolean,
    page: readonly BankQuestion[] = [],
  ) {
    const next = new Set(all ? page.map(({ id }) => id) : ids);
    for (const { id } of questions) {
      if (!chosen) next.delete(id);
      else if (next.size < MAX_SELECTED_IDS) next.add(id);
    }
    set({ ids: next, all: false });
  }

  return {
    all,
    has: (id: number) => all || ids.has(id),
    countOf: (total: number) => (all ? total : ids.size),
    toggle,
    takeAll: () => set({ ids: NONE, all: true }),
    clear: () => set({ ids: NONE, all: false }),
    /** The selection as the API accepts it. */
    value: (): QuestionSelection => (all ? { filter } : { ids: [...ids] }),
  };
}
export type Selected = ReturnType<typeof useSelection>;
