import { useParams } from '@tanstack/react-router';
import { QuestionScreen } from '#features/question-bank/question.tsx';
import { QuestionStatistics } from '#features/question-quality/question-statistics.tsx';

export function QuestionRoute() {
  const { id } = useParams({ from: '/identified/admin/dashboard/questions/$id' });
  return (
    // What was typed about one question does not belong to the next.
    <QuestionScreen key={id} id={id} statistics={<QuestionStatistics id={id} />} />
  );
}
