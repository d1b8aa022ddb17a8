import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EmptyBody, withErrors } from '@proveklar/contract/common.ts';
import { InviteMemberRequest, MemberParams, MembersResponse } from '@proveklar/contract/roles.ts';
import {
  inviteMember,
  listMembers,
  withdrawMember,
} from '@proveklar/services/accounts/portal-members.ts';
import * as docs from '#openapi/examples/members.ts';
import { identityOf } from '#plugins/access.ts';

/** Who works in the portal, for owners. */
export const membersRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, adminEmails: owners } = app.deps;

  const answer = async (): Promise<MembersResponse> => {
    const members = await listMembers(db);
    return {
      owners: [...owners],
      members: members.map((member) => ({
        ...member,
        invited_at: member.invited_at.toISOString(),
        accepted_at: member.accepted_at?.toISOString() ?? null,
      })),
    };
  };

  app.get(
    '/members',
    {
      config: { access: 'owner', docs: docs.listMembers },
      schema: {
        tags: ['admin'],
        summary: 'Who works in the portal, and as what',
        response: withErrors({ 200: MembersResponse }),
      },
    },
    answer,
  );

  app.post(
    '/members',
    {
      config: { access: 'owner', docs: docs.inviteMember },
      schema: {
        tags: ['admin'],
        summary: 'Give a person a role in the portal, or another one',
        body: InviteMemberRequest,
        response: withErrors({ 200: MembersResponse }),
      },
    },
    async (request) => {
      await inviteMember(db, { ...request.body, actor: identityOf(request), owners });
      return answer();
    },
  );

  app.delete(
    '/members/:id',
    {
      config: { access: 'owner', docs: docs.withdrawMember },
      schema: {
        tags: ['admin'],
        summary: "Take a person's role away, from their next call on",
        params: MemberParams,
        body: EmptyBody,
        response: withErrors({ 200: MembersResponse }),
      },
    },
    async (request) => {
      await withdrawMember(db, { id: request.params.id, actor: identityOf(request) });
      return answer();
    },
  );
};
