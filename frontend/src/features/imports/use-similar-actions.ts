import type { NearDuplicate } from '@proveklar/contract/near-duplicates.ts';
import type { QuestionChange } from '@proveklar/contract/question-changes.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { importKeys, keepBoth, retireQuestion, undoRetiring } from './api.ts';
import { counted } from './format-amounts.ts';

type Keeping = { pair: NearDuplicate; dismissed: boolean };

/**
 * The actions for pairs of near-duplicates; each shows a notice, and can be undone.
 *
 * @param onDone after a pair was handled: its buttons have disappeared
 */
export function useSimilarActions(importId: string, onDone: () => void) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const readAgain = () => queryClient.invalidateQueries({ queryKey: importKeys.similar(importId) });
  const onError = (error: Error) => {
    notify(t('import.similar.failed', { reason: errorText(error) }));
  };
  const afterChange = () => Promise.all([readAgain(), refreshQuestions(queryClient)]);

  const keep = useMutation({
    mutationFn: ({ pair, dismissed }: Keeping) => keepBoth(importId, pair.question.id, dismissed),
    onSuccess: (_, { pair, dismissed }) => {
      if (!dismissed) return;
      notify(t('import.similar.kept'), {
        label: t('shell.undo'),
        onUndo: () => keep.mutate({ pair, dismissed: false }),
      });
      onDone();
    },
    onError,
    onSettled: readAgain,
  });

  const restore = useMutation({
    mutationFn: ({ change }: { change: string; id: number }) => undoRetiring(change),
    onSuccess: (_, { id }) => notify(t('import.similar.undone', { id })),
    onError,
    onSettled: afterChange,
  });

  const retire = useMutation({
    mutationFn: ({ question }: NearDuplicate) => retireQuestion(question.id),
    onSuccess: ({ id: change }, { question: { id } }) => {
      notify(t('import.similar.retired', { id }), {
        label: t('shell.undo'),
        onUndo: () => restore.mutate({ change, id }),
      });
      onDone();
    },
    onError,
    onSettled: afterChange,
  });

  const restoreAll = useMutation({
    mutationFn: async (changes: readonly QuestionChange[]) => {
      await Promise.all(changes.map(({ id }) => undoRetiring(id)));
    },
    onError,
    onSettled: afterChange,
  });

  function afterRetiringAll(changes: readonly QuestionChange[]) {
    const retired = changes.reduce((sum, { changed }) => sum + changed, 0);
    notify(t('import.similar.retire_all.done', counted(retired)), {
      label: t('shell.undo'),
      onUndo: () => restoreAll.mutate(changes),
    });
    onDone();
    return afterChange();
  }

  return {
    afterRetiringAll,
    keepBoth: (pair: NearDuplicate) => keep.mutate({ pair, dismissed: true }),
    retire: retire.mutate,
    isBusy: keep.isPending || retire.isPending,
  };
}
