import { Button } from '@digdir/designsystemet-react';
import { ThumbDownIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';

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
