import { createRoute } from '@tanstack/react-router';
import { configQuery } from '#lib/config.ts';
import { queryClient } from '#lib/query-client.ts';
import { startSession } from '#lib/session.ts';
import { rootRoute } from './root.tsx';

/** Pages that show nothing of their own before the first sign-in state is known. */
export const identified = createRoute({
  getParentRoute: () => rootRoute,
  id: 'identified',
  beforeLoad: async () => {
    const config = await queryClient.ensureQueryData(configQuery);
    await startSession(config.identity);
  },
});
