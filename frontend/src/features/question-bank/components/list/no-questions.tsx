import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { ButtonLink } from '#components/button-link.tsx';

/** Nothing matches the filters; or the bank is empty, and the way to fill it is an import. */
export function NoQuestions({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('admin');
  if (filtered) {
    return (
      <EmptyState title={t('questions.none_match')}>
        <p>{t('questions.none_match_text')}</p>
        <Button variant="secondary" onClick={onClear}>
          {t('questions.filter.clear')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('questions.none_yet')}>
      <p>{t('questions.none_yet_text')}</p>
      <ButtonLink to="/admin/dashboard">{t('shell.tab.import')}</ButtonLink>
    </EmptyState>
  );
}
