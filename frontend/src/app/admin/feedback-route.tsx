import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { FeedbackScreen } from '#features/feedback/components/feedback-screen.tsx';
import { type FeedbackSearch, readFeedbackSearch } from '#features/feedback/search.ts';

export function FeedbackRoute() {
  const navigate = useNavigate();
  // What the address says is read here: the code for it comes with the screen.
  const search = readFeedbackSearch(useSearch({ from: '/identified/admin/dashboard/feedback' }));
  const show = useCallback(
    (next: FeedbackSearch) => void navigate({ to: '/admin/dashboard/feedback', search: next }),
    [navigate],
  );
  return <FeedbackScreen search={search} onSearch={show} />;
}
