import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FeedbackScreen } from '#features/feedback/components/feedback-screen.tsx';
import type { FeedbackSearch } from '#features/feedback/search.ts';

export function FeedbackRoute() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/identified/admin/dashboard/feedback' });
  const show = useCallback(
    (next: FeedbackSearch) => void navigate({ to: '/admin/dashboard/feedback', search: next }),
    [navigate],
  );
  return <FeedbackScreen search={search} onSearch={show} />;
}
