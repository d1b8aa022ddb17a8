import { useNavigate, useParams } from '@tanstack/react-router';
import { QuestionScreen } from '#features/question-bank/components/page/question-screen.tsx';
import { QuestionStatistics } from '#features/question-quality/question-statistics.tsx';

export function QuestionRoute() {
  const navigate = useNavigate();
  const { id } = useParams({ from: '/identified/admin/dashboard/questions/$id' });
  return (
    // What was typed about one question does not belong to the next.
    <QuestionScreen
      key={id}
      id={id}
      statistics={<QuestionStatistics id={id} />}
      onGone={() => void navigate({ to: '/admin/dashboard/questions', replace: true })}
    />
  );
}
