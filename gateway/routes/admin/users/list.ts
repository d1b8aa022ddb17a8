import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listUsers } from '@proveklar/services/accounts/list-users.ts';
import { searchUsers } from '@proveklar/services/accounts/search-users.ts';
import {
  countUsers,
  countUsersWithActivity,
} from '@proveklar/services/accounts/user-statistics.ts';
import * as docs from '#contract/examples/users.ts';
import { withErrors } from '#contract/responses.ts';
import { UsersQuery, UsersResponse } from '#contract/users.ts';
import { recently } from '#pages/recently.ts';
import { identityOf } from '#plugins/access.ts';
import { toUserBody } from './user-body.ts';

const PAGE_SIZE = 50;
const ACTIVITY_COUNTED_MS = 10_000;

export const listUsersRoute: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const withActivity = recently(ACTIVITY_COUNTED_MS, () => countUsersWithActivity(db));

  app.get(
    '/',
    {
      config: { access: 'admin', docs: docs.listUsers },
      schema: {
        tags: ['admin'],
        summary: 'Everybody, or those whose address has something in it',
        querystring: UsersQuery,
        response: withErrors({ 200: UsersResponse }),
      },
    },
    async (request) => {
      const { page_token: pageToken, page_size: pageSize = PAGE_SIZE, email } = request.query;
      const wish = { pageSize, pageToken };
      const part = email?.trim();
      const [page, counts, active] = await Promise.all([
        part ? searchUsers(app.deps, part, wish) : listUsers(app.deps, wish),
        countUsers(db),
        withActivity(),
      ]);
      return {
        users: page.users.map((user) => toUserBody(user, identityOf(request))),
        next_page_token: page.nextPageToken,
        // Counted some seconds apart.
        stats: { ...counts, users_with_activity: Math.min(active, counts.total_users) },
      };
    },
  );
};
