import { Button, Fieldset, Radio, Textfield } from '@digdir/designsystemet-react';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_COMMENT_LENGTH } from '@proveklar/contract/limits.ts';
import { DialogActions } from '#components/app-dialog.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { readFields } from '#lib/read-fields.ts';
import type { Report } from '../../api.ts';

const reasons = ['wrong_answer', 'unclear', 'outdated', 'language', 'other'] as const;

type ReportFormProps = {
  busy: boolean;
  error: unknown;
  onReport: (report: Report) => void;
  onCancel: () => void;
};

/** Nothing in it has to be filled in: a report without a reason is worth having too. */
export function ReportForm({ busy, error, onReport, onCancel }: ReportFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusText = useStatusText();
  const [reason, setReason] = useState<Report['reason']>();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { comment } = readFields(event.currentTarget, ['comment']).values;
    onReport({ ...(reason ? { reason } : {}), ...(comment ? { comment } : {}) });
  }

  return (
    <form onSubmit={submit}>
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
      <FormAlert>
        {error && !busy ? t('report.failed', { status: statusText(error) }) : undefined}
      </FormAlert>
      <DialogActions>
        <Button type="submit" loading={busy} disabled={busy}>
          {t(error ? 'translation:actions.retry' : 'report.send')}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {t('translation:actions.cancel')}
        </Button>
      </DialogActions>
    </form>
  );
}
