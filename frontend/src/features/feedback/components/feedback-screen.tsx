import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import type { FeedbackViewProps } from '../view-props.ts';
import { FeedbackFilters } from './feedback-filters.tsx';
import { QuestionsView } from './questions-view.tsx';
import { ReportsView } from './reports-view.tsx';

/** What learners say is wrong with questions, one by one or by question. */
export function FeedbackScreen({ search, onSearch }: FeedbackViewProps) {
  const { t } = useTranslation('admin');
  return (
    <AdminScreen title={t('feedback.title')} lead={t('feedback.lead')}>
      <FeedbackFilters search={search} onSearch={onSearch} />
      {search.view === 'questions' ? (
        <QuestionsView search={search} onSearch={onSearch} />
      ) : (
        <ReportsView search={search} onSearch={onSearch} />
      )}
    </AdminScreen>
  );
}
