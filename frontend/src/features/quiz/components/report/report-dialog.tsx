import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { textIn } from '#lib/question-language.ts';
import { type Report, reportQuestion } from '../../api.ts';
import styles from './report.module.css';
import { ReportForm } from './report-form.tsx';
import { ReportThanks } from './report-thanks.tsx';

type ReportDialogProps = {
  /** The question to report; undefined while the dialog is closed. */
  question: { uuid: string; question: string; language: string } | undefined;
  onClose: () => void;
};

/** Asks whether, and if one likes what is wrong with a question; then says thank you. */
export function ReportDialog({ question, onClose }: ReportDialogProps) {
  const { t } = useTranslation('learner');
  const report = useMutation({
    mutationFn: ({ uuid, body }: { uuid: string; body: Report }) => reportQuestion(uuid, body),
  });
  function close() {
    report.reset();
    onClose();
  }
  return (
    <AppDialog
      open={question !== undefined}
      title={t(report.isSuccess ? 'report.thanks_title' : 'report.title')}
      onClose={close}
    >
      {report.isSuccess ? (
        <ReportThanks onClose={close} />
      ) : (
        <>
          <blockquote className={styles.question} {...textIn(question?.language ?? 'no')}>
            {question?.question}
          </blockquote>
          <ReportForm
            busy={report.isPending}
            error={report.error}
            onReport={(body) => question && report.mutate({ uuid: question.uuid, body })}
            onCancel={close}
          />
        </>
      )}
    </AppDialog>
  );
}
