import type { FastifyInstance } from 'fastify';
import { deleteUserRoute } from './delete.ts';
import { disableUserRoutes } from './disable.ts';
import { listUsersRoute } from './list.ts';
import { passwordLinkRoute } from './password-link.ts';

export async function usersRoutes(app: FastifyInstance): Promise<void> {
  await app.register(listUsersRoute);
  await app.register(deleteUserRoute);
  await app.register(disableUserRoutes);
  await app.register(passwordLinkRoute);
}
