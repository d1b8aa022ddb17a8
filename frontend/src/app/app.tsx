import { QueryClientProvider } from '@tanstack/react-query';
import { Link, RouterProvider } from '@tanstack/react-router';
import { RouterLinks } from '#components/link.tsx';
import { queryClient } from '#lib/query-client.ts';
import { router } from './router.ts';
import './react-to-session.ts';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterLinks value={Link}>
        <RouterProvider router={router} />
      </RouterLinks>
    </QueryClientProvider>
  );
}
