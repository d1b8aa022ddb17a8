import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { restoreQuestion, validateQuestion } from './api.ts';

type Validation = { question: BankQuestion; validated: boolean };

/** Validates a question or takes it back, says so, and offers to undo it. */
export function useValidate() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ question, validated }: Validation) => validateQuestion(question.id, validated),
    onSuccess: (_, { question, validated }) => {
      const { id } = question;
      notify(t(validated ? 'questions.notice.validated' : 'questions.notice.unvalidated', { id }), {
        label: t('shell.undo'),
        onUndo: () => change.mutate({ question, validated: !validated }),
      });
    },
    onError: (error) => notify(t('questions.failed.validate', { reason: errorText(error) })),
    // Also after a failure: what the list says may no longer be true.
    onSettled: () => refreshQuestions(queryClient),
  });
  return change;
}

/** Brings a retired question back. */
export function useRestore() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => restoreQuestion(id),
    onSuccess: (_, id) => notify(t('questions.notice.restored', { id })),
    onError: (error) => notify(t('questions.failed.restore', { reason: errorText(error) })),
    onSettled: () => refreshQuestions(queryClient),
  });
}
