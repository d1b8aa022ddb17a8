import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { closeFeedback, feedbackKeys, reopenFeedback, type ReportedQuestions } from './api.ts';

type Change = { question: ReportedQuestion; to: ReportedQuestion['state'] };

/**
 * Closes the reports of a question or opens them again, says so, and offers to take it back. The
 * question stays where it is in the list, as what it has become.
 */
export function useCloseFeedback() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();

  function mark({ id }: ReportedQuestion, to: Change['to'], reports: number) {
    const queryKey = [...feedbackKeys.lists, 'questions'];
    queryClient.setQueriesData<ReportedQuestions>(
      { queryKey },
      (list) =>
        list && {
          ...list,
          questions: list.questions.map((shown) => {
            if (shown.id !== id) return shown;
            const open = to === 'open' ? reports : shown.reports.open - reports;
            return { ...shown, state: to, reports: { ...shown.reports, open: Math.max(0, open) } };
          }),
        },
    );
  }

  const change = useMutation({
    mutationFn: ({ question, to }: Change) =>
      to === 'open'
        ? reopenFeedback(question.id)
        : closeFeedback(question.id, { state: to, reported_until: question.last_reported_at }),
    onSuccess: ({ reports }, { question, to }) => {
      mark(question, to, reports);
      const undo = {
        label: t('shell.undo'),
        onUndo: () => change.mutate({ question, to: 'open' }),
      };
      notify(t(`feedback.notice.${to}`), to === 'open' ? undefined : undo);
    },
    onError: (error, { to }) =>
      notify(
        t(to === 'open' ? 'feedback.failed.reopen' : 'feedback.failed.close', {
          reason: errorText(error),
        }),
      ),
  });
  return change;
}
