import type { QuestionFilter } from '@proveklar/contract/questions.ts';
import { DownloadIcon } from '@navikt/aksel-icons';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { type ExportFormat, exportQuestions } from '../../api.ts';

const FORMATS: ExportFormat[] = ['json', 'csv'];

/** Saves what the list finds as a file. */
export function ExportButtons({ filter }: { filter: QuestionFilter }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const saving = useMutation({
    mutationFn: (format: ExportFormat) => exportQuestions(format, filter),
    onError: (error) => notify(t('questions.failed.export', { reason: errorText(error) })),
  });
  return FORMATS.map((format) => (
    <BusyButton
      key={format}
      variant="secondary"
      data-size="sm"
      busy={saving.isPending && saving.variables === format}
      onClick={() => saving.isPending || saving.mutate(format)}
    >
      <DownloadIcon aria-hidden />
      {t('questions.export', { format: format.toUpperCase() })}
    </BusyButton>
  ));
}
