import { Tag } from '@digdir/designsystemet-react';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { textIn } from '#lib/question-language.ts';
import { changeQuestions, deleteQuestion, restoreQuestion, validateQuestion } from './api.ts';
import { useSayChanged } from './changes.tsx';

type Validation = { question: BankQuestion; validated: boolean };

/** Validates a question or undoes that, and shows a notice with undo. */
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
    // Also after a failure, because the list may be stale.
    onSettled: () => refreshQuestions(queryClient),
  });
  return change;
}

/** Restores a retired question. */
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

/** Retires a question at once, used or not, and shows a notice with undo. */
export function useRetire() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const sayChanged = useSayChanged();
  return useMutation({
    mutationFn: (id: number) => changeQuestions({ action: 'retire', selection: { ids: [id] } }),
    onSuccess: sayChanged,
    onError: (error) => notify(t('questions.failed.change', { reason: errorText(error) })),
    onSettled: () => refreshQuestions(queryClient),
  });
}

/**
 * Deletes a question after a confirmation; one that a quiz has is only retired, which can be undone. `onGone`
 * is called if it was deleted, not retired.
 */
export function useDelete(onGone?: () => void) {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const restoring = useRestore();
  return ({ id, question, language, is_used }: BankQuestion) => {
    const kind = is_used ? 'retire' : 'delete';
    confirmAction({
      title: t(`questions.${kind}.title`),
      body: (
        <>
          <p {...textIn(language)}>
            <strong>{question}</strong>
          </p>
          <p>{t(`questions.${kind}.text`)}</p>
        </>
      ),
      action: t(`questions.${kind}.button`),
      run: () => deleteQuestion(id),
      onDone: ({ retired }) => {
        if (retired) {
          notify(t('questions.notice.retired', { id }), {
            label: t('shell.undo'),
            onUndo: () => restoring.mutate(id),
          });
        } else {
          notify(t('questions.notice.deleted', { id }));
          onGone?.();
        }
        return refreshQuestions(queryClient);
      },
      describeError: (reason) => t('questions.failed.delete', { reason }),
    });
  };
}

/** The status of a question: validated, pending, or retired. */
export function StatusTag({ question }: { question: BankQuestion }) {
  const { t } = useTranslation('admin');
  const state = question.retired_at ? 'retired' : question.validated ? 'validated' : 'pending';
  const color = { retired: 'neutral', validated: 'success', pending: 'warning' } as const;
  return (
    <Tag data-size="sm" data-color={color[state]}>
      {t(`questions.status.${state}`)}
    </Tag>
  );
}
