import { Button, Fieldset, Radio, Textfield } from '@digdir/designsystemet-react';
import { ThumbDownIcon } from '@navikt/aksel-icons';
import { MAX_COMMENT_LENGTH } from '@proveklar/contract/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { useStatusAdvice } from '#lib/error-text.ts';
import { readFields } from '#lib/form-values.ts';
import { textIn } from '#lib/question-language.ts';
import { type Report, reportQuestion } from './api.ts';
import styles from './question.module.css';

export function ReportButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('learner');
  return (
    <Button
      variant="tertiary"
      data-color="neutral"
      data-size="sm"
      aria-label={t('report.title')}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <ThumbDownIcon aria-hidden />
      {t('report.button')}
    </Button>
  );
}

type ReportDialogProps = {
  /** The question to report; undefined while the dialog is closed. */
  question: { uuid: string; question: string; language: string } | undefined;
  onClose: () => void;
};

/** Asks whether to report a question, with an optional reason; then says thank you. */
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
          <blockquote className={styles.reported} {...textIn(question?.language ?? 'no')}>
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
  // The pressed button has disappeared; focusing the text makes a screen reader read it.
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

const reasons = ['wrong_answer', 'unclear', 'outdated', 'language', 'other'] as const;

type ReportFormProps = {
  busy: boolean;
  error: Error | null;
  onReport: (report: Report) => void;
  onCancel: () => void;
};

/** All fields are optional: a report without a reason is useful too. */
function ReportForm({ busy, error, onReport, onCancel }: ReportFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusAdvice = useStatusAdvice();
  const [reason, setReason] = useState<Report['reason']>();

  function submit(form: HTMLFormElement) {
    const { comment } = readFields(form, ['comment']).values;
    onReport({ ...(reason ? { reason } : {}), ...(comment ? { comment } : {}) });
  }

  return (
    <Form
      submit={t(error ? 'translation:actions.retry' : 'report.send')}
      busy={busy}
      error={error && t('report.failed', { status: statusAdvice(error) })}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Fieldset>
        <Fieldset.Legend>{t('report.reason')}</Fieldset.Legend>
        {reasons.map((name) => (
          <Radio
            key={name}
            name="reason"
            value={name}
            label={t(`report.reasons.${name}`)}
            checked={reason === name}
            onChange={() => setReason(name)}
          />
        ))}
      </Fieldset>
      <Textfield
        multiline
        label={t('report.comment')}
        name="comment"
        rows={3}
        maxLength={MAX_COMMENT_LENGTH}
      />
    </Form>
  );
}
