import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { changeQuestions, questionKeys } from '../../api.ts';
import { isUnderWay } from '../../change-state.ts';
import { useSayChanged } from '../../use-change-notices.ts';

/** Begins a change of many questions, and says what came of it if it is over at once. */
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
        // Read before it may be over: whoever saw it under way says when it ends.
        await queryClient.cancelQueries({ queryKey: questionKeys.changes() });
        queryClient.setQueryData(questionKeys.changes(), (known: (typeof change)[] = []) => [
          change,
          ...known.filter(({ id }) => id !== change.id),
        ]);
      } else sayChanged(change);
    },
    onError: (error) => notify(t('questions.failed.change', { reason: errorText(error) })),
    onSettled: () => refreshQuestions(queryClient),
  });
}
export type BulkChange = ReturnType<typeof useBulkChange>;
