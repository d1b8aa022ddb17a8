import { useNavigate, useSearch } from '@tanstack/react-router';
import { ImportScreen } from '#features/imports/components/import-screen.tsx';

export function ImportRoute() {
  const navigate = useNavigate();
  const { page = 1 } = useSearch({ from: '/identified/admin/dashboard/' });
  return (
    <ImportScreen
      page={page}
      onPage={(next) =>
        void navigate({ to: '/admin/dashboard', search: next === 1 ? {} : { page: next } })
      }
    />
  );
}
