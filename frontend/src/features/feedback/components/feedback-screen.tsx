import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { readFeedbackSearch } from '../search.ts';
import { FeedbackFilters } from './feedback-filters.tsx';
import { QuestionsView } from './questions-view.tsx';
import { ReportsView } from './reports-view.tsx';

/** What learners say is wrong with questions, one by one or by question. */
export function FeedbackScreen() {
  const { t } = useTranslation('admin');
  const [search, onSearch] = useScreenSearch('/admin/dashboard/feedback', readFeedbackSearch);
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
