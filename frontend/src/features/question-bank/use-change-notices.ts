import type { QuestionChange } from '@proveklar/contract/questions.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { actOnChange, changesQuery } from './api.ts';
import { canUndo, isUnderWay } from './change-state.ts';
import { useChangeText } from './use-change-text.ts';

/** Stops or takes back a change of many questions. */
export function useActOnChange() {
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

/** Says what a change did, with the way to take it back. */
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

/** Says it when a change that was seen under way has come to its end. */
export function useChangeNotices(): void {
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
