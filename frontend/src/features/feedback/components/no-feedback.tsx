import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';

type NoFeedbackProps = {
  /** There is none at all. */
  none: boolean;
  /** Nothing is filtered out. */
  all: boolean;
  onAll: () => void;
};

export function NoFeedback({ none, all, onAll }: NoFeedbackProps) {
  const { t } = useTranslation('admin');
  if (none) {
    return (
      <EmptyState title={t('feedback.none')}>
        <p>{t('feedback.none_text')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('feedback.none_here')}>
      {!all && (
        <Button variant="secondary" onClick={onAll}>
          {t('feedback.show_all')}
        </Button>
      )}
    </EmptyState>
  );
}
