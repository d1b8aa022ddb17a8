import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { textIn } from '#lib/question-language.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { deleteQuestion } from '../../api.ts';
import { useRestore } from '../../use-question-actions.ts';

type DeleteDialogProps = {
  question: BankQuestion | undefined;
  onClose: () => void;
  /** It is gone, and not only retired. */
  onGone?: () => void;
};

/** Asks before a question is deleted; one that quizzes have is only retired, which can be undone. */
export function DeleteDialog({ question, onClose, onGone }: DeleteDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const restoring = useRestore();
  const deletion = useMutation({
    mutationFn: deleteQuestion,
    onSuccess: ({ retired }, id) => {
      if (retired) {
        notify(t('questions.notice.retired', { id }), {
          label: t('shell.undo'),
          onUndo: () => restoring.mutate(id),
        });
      } else notify(t('questions.notice.deleted', { id }));
      close();
      if (!retired) onGone?.();
      return refreshQuestions(queryClient);
    },
  });

  function close() {
    deletion.reset();
    onClose();
  }
  const kind = question?.is_used ? 'retire' : 'delete';
  return (
    <ConfirmDialog
      open={question !== undefined}
      title={t(`questions.${kind}.title`)}
      action={t(`questions.${kind}.button`)}
      busy={deletion.isPending}
      error={
        deletion.isError ? t('questions.failed.delete', { reason: errorText(deletion.error) }) : ''
      }
      onConfirm={() => question && deletion.mutate(question.id)}
      onClose={close}
    >
      <p {...textIn(question?.language ?? 'no')}>
        <strong>{question?.question}</strong>
      </p>
      <p>{t(`questions.${kind}.text`)}</p>
    </ConfirmDialog>
  );
}
