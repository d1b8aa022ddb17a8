import { useParams } from '@tanstack/react-router';
import { ImportDetail } from '#features/imports/components/import-detail.tsx';

export function ImportDetailRoute() {
  const { id } = useParams({ from: '/identified/admin/dashboard/imports/$id' });
  // Figures of the one before would make the pace of the next.
  return <ImportDetail key={id} id={id} />;
}
