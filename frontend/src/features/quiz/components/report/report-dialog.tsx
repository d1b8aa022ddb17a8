import { Button } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { textIn } from '#lib/question-language.ts';
import { type Report, reportQuestion } from '../../api.ts';
import { ReportForm } from './report-form.tsx';
import styles from './report.module.css';

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

function ReportThanks({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['learner', 'translation']);
  const text = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone; with the focus the text is read aloud.
  useEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} tabIndex={-1} className={styles.thanks}>
        {t('report.thanks_text')}
      </p>
      <DialogActions>
        <Button onClick={onClose}>{t('translation:actions.close')}</Button>
      </DialogActions>
    </>
  );
}
