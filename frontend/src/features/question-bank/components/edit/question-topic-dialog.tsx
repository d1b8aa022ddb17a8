import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { changeTopic } from '../../api.ts';
import { TopicDialog } from './topic-dialog.tsx';

type QuestionTopicDialogProps = { question: BankQuestion | undefined; onClose: () => void };

/** Puts one question under another topic; can be taken back. */
export function QuestionTopicDialog({ question, onClose }: QuestionTopicDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ of: { id }, topic }: { of: BankQuestion; topic: string }) =>
      changeTopic(id, topic),
    onSuccess: (_, { of, topic }) => {
      const back = () => change.mutate({ of: { ...of, topic }, topic: of.topic });
      notify(t('questions.notice.retopic', { id: of.id, topic }), {
        label: t('shell.undo'),
        onUndo: back,
      });
      onClose();
      return refreshQuestions(queryClient);
    },
    onError: (error) => {
      // Where the dialog is no longer there to say it.
      if (!question) notify(failed(error));
    },
  });
  const failed = (error: unknown) => t('questions.failed.topic', { reason: errorText(error) });
  return (
    <TopicDialog
      open={question !== undefined}
      title={t('questions.topic_title', { id: question?.id })}
      topic={question?.topic ?? ''}
      busy={change.isPending}
      error={change.isError ? failed(change.error) : ''}
      onSave={(topic) => question && change.mutate({ of: question, topic })}
      onClose={() => {
        change.reset();
        onClose();
      }}
    />
  );
}
