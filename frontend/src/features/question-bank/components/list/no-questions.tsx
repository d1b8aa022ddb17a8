import { Button } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { filtersQuery } from '../../api.ts';

type NoQuestionsProps = {
  filtered: boolean;
  onClear: () => void;
  onRetired: () => void;
};

/** Nothing matches; or all is retired; or the bank is empty, and the way to fill it is an import. */
export function NoQuestions({ filtered, onClear, onRetired }: NoQuestionsProps) {
  const { t } = useTranslation('admin');
  const { data: known } = useQuery(filtersQuery);
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
  // Topics are those of all questions, also of the retired.
  if (known && known.topics.length > 0) {
    return (
      <EmptyState title={t('questions.none_active')}>
        <p>{t('questions.none_active_text')}</p>
        <Button variant="secondary" onClick={onRetired}>
          {t('questions.see_retired')}
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
