import type { QualityItem, QualityReason } from '@proveklar/contract/question-quality.ts';
import { Checkbox, Fieldset } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { QUALITY } from '#lib/question-areas.ts';
import { textIn } from '#lib/question-language.ts';
import { dismissQuality } from '../api.ts';

type DismissDialogProps = { item: QualityItem; onClose: () => void };

/** Asks for which of its reasons a question is fine; it leaves the queue for those. */
export function DismissDialog({ item, onClose }: DismissDialogProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<readonly QualityReason[]>(item.reasons);
  const dismissal = useMutation({
    mutationFn: () => dismissQuality(item.id, chosen),
    onSuccess: () => {
      notify(t('quality.dismiss.done', { id: item.id }));
      onClose();
    },
    // Also after a failure: some of the reasons may be gone.
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUALITY }),
  });
  return (
    <ConfirmDialog
      open
      title={t('quality.dismiss.title')}
      action={t('quality.dismiss.button')}
      tone="primary"
      busy={dismissal.isPending}
      error={
        dismissal.isError ? t('quality.dismiss.failed', { reason: errorText(dismissal.error) }) : ''
      }
      onConfirm={() => chosen.length > 0 && dismissal.mutate()}
      onClose={onClose}
    >
      <p {...textIn(item.language)}>
        <strong>{item.question}</strong>
      </p>
      <p>{t('quality.dismiss.text')}</p>
      {item.reasons.length > 1 && (
        <Fieldset>
          <Fieldset.Legend>{t('quality.dismiss.which')}</Fieldset.Legend>
          {item.reasons.map((reason) => (
            <Checkbox
              key={reason}
              label={t(`quality.reason.${reason}`)}
              checked={chosen.includes(reason)}
              onChange={({ currentTarget }) =>
                setChosen(
                  item.reasons.filter((one) =>
                    one === reason ? currentTarget.checked : chosen.includes(one),
                  ),
                )
              }
            />
          ))}
        </Fieldset>
      )}
    </ConfirmDialog>
  );
}
