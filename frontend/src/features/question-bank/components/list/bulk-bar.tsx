import type { QuestionChangeAction } from '@proveklar/contract/questions.ts';
import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import type { BankSearch } from '../../bank-search.ts';
import type { Selected } from '../../use-selection.ts';
import { BulkDialogs } from './bulk-dialogs.tsx';
import { useBulkChange } from './use-bulk-change.ts';
import styles from './bulk-bar.module.css';

type BulkBarProps = { search: BankSearch; total: number; selected: Selected };

/** So few are changed without a question first: it can be undone in one go. */
const FEW = 20;

/** What can be done with all that is chosen; there while anything is. */
export function BulkBar({ search, total, selected }: BulkBarProps) {
  const { t, i18n } = useTranslation('admin');
  const [asked, setAsked] = useState<QuestionChangeAction>();
  const change = useBulkChange(() => {
    setAsked(undefined);
    selected.clear();
  });
  const count = selected.countOf(total);
  const counted = { count, n: formatCount(count, i18n.language) };
  const selection = selected.value();

  function begin(action: QuestionChangeAction) {
    const isAsked = count > FEW || action === 'retire' || action === 'retopic';
    if (isAsked) setAsked(action);
    else change.mutate({ action, selection });
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
          <div className={styles.actions}>
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
          </div>
        </section>
      )}
      <BulkDialogs
        asked={asked}
        counted={counted}
        change={change}
        onConfirm={(topic) =>
          asked && change.mutate({ action: asked, selection, ...(topic && { topic }) })
        }
        onClose={() => {
          change.reset();
          setAsked(undefined);
        }}
      />
    </>
  );
}

/** Those that could change anything of what the list shows. */
function actionsFor({ state = 'active' }: BankSearch): QuestionChangeAction[] {
  if (state === 'retired') return ['restore', 'retopic'];
  const usual: QuestionChangeAction[] = ['validate', 'unvalidate', 'retopic', 'retire'];
  return state === 'all' ? [...usual, 'restore'] : usual;
}
