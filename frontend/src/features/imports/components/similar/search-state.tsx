import type { NearDuplicateProgress } from '@proveklar/contract/imports.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { cancelSearch, importKeys } from '../../api.ts';
import { counted, formatCount } from '../../format-amounts.ts';
import { ConfirmedAction } from '../confirmed-action.tsx';
import { ShareBar } from '#components/admin/share-bar.tsx';
import styles from './similar-questions.module.css';

type SearchStateProps = { id: string; search: NearDuplicateProgress };

/** How far the search has come, with the way to end it; nothing once it has been through. */
export function SearchState({ id, search }: SearchStateProps) {
  const { t } = useTranslation('admin');
  const { state, checked, total, found } = search;
  const of = { done: formatCount(checked), total: formatCount(total) };
  if (state === 'done') return null;
  if (state === 'cancelled') return <p>{t('import.similar.cancelled', of)}</p>;
  return (
    <div className={styles.search}>
      <ShareBar
        label={t('import.similar.progress')}
        amount={t('import.similar.progress_of', of)}
        share={total === 0 ? 1 : Math.min(1, checked / total)}
      />
      <p className={styles.lead}>
        {state === 'waiting'
          ? t('import.similar.waiting')
          : t('import.similar.searching', counted(found))}
      </p>
      <CancelSearch id={id} />
    </div>
  );
}

function CancelSearch({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelSearch(id),
    onSuccess: (one) => queryClient.setQueryData(importKeys.one(id), one),
    // It may have come to its end by itself.
    onSettled: () => queryClient.invalidateQueries({ queryKey: importKeys.all }),
  });
  return (
    <ConfirmedAction
      button={t('import.similar.cancel.button')}
      title={t('import.similar.cancel.title')}
      mutation={cancel}
      onConfirm={(options) => cancel.mutate(undefined, options)}
    >
      {t('import.similar.cancel.text')}
    </ConfirmedAction>
  );
}
