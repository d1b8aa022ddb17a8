import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { QualityScreen } from '#features/question-quality/components/quality-screen.tsx';
import {
  type QualitySearch,
  readQualitySearch,
} from '#features/question-quality/quality-search.ts';

export function QualityRoute() {
  const navigate = useNavigate();
  const asked = useSearch({ from: '/identified/admin/dashboard/quality' });
  const search = useMemo(() => readQualitySearch(asked), [asked]);
  const show = useCallback(
    (next: QualitySearch) => void navigate({ to: '/admin/dashboard/quality', search: next }),
    [navigate],
  );
  return <QualityScreen search={search} onSearch={show} />;
}
