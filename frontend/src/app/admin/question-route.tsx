import { useParams } from '@tanstack/react-router';
import { QuestionScreen } from '#features/question-bank/question.tsx';
import { QuestionStatistics } from '#features/question-quality/question-statistics.tsx';

export function QuestionRoute() {
  const { id } = useParams({ from: '/identified/admin/dashboard/questions/$id' });
  return (
    // The key resets the form for another question.
    <QuestionScreen key={id} id={id} statistics={<QuestionStatistics id={id} />} />
  );
}
