import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors, EmptyBody } from '@proveklar/contract/common.ts';
import { PortalHomeResponse } from '@proveklar/contract/portal-home.ts';
import {
  readLearnersHome,
  readOperationsHome,
  readQuestionsHome,
} from '@proveklar/services/portal/home.ts';
import { InviteMemberRequest, MemberParams, MembersResponse } from '@proveklar/contract/roles.ts';
import {
  inviteMember,
  listMembers,
  withdrawMember,
} from '@proveklar/services/accounts/portal-members.ts';
import { AuditQuery, AuditResponse } from '@proveklar/contract/audit.ts';
import { listAuditEntries, recordLogExport } from '@proveklar/services/audit/list-entries.ts';
import * as homeDocs from '#openapi/examples/portal-home.ts';
import { cached } from '#pages/cached.ts';
import { identityOf, ROLES_OF } from '#plugins/access.ts';
import * as memberDocs from '#openapi/examples/members.ts';
import * as auditDocs from '#openapi/examples/audit.ts';

/** Every page of the portal shows the counts, for all who have it open. */
const CACHE_MS = 5_000;

/** The first page of the portal. Each role gets its own parts. */
export const portalHomeRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const readers = {
    questions: cached(CACHE_MS, () => readQuestionsHome(db)),
    learners: cached(CACHE_MS, () => readLearnersHome(db)),
    operations: cached(CACHE_MS, () => readOperationsHome(db)),
  };

  app.get(
    '/home',
    {
      config: { access: 'portal', docs: homeDocs.readPortalHome },
      schema: {
        tags: ['admin'],
        summary: "What waits in the portal, and today's figures",
        response: withErrors({ 200: PortalHomeResponse }),
      },
    },
    async (request) => {
      const role = identityOf(request).role!;
      const has = (access: 'editor' | 'support' | 'operator') => ROLES_OF[access]!.includes(role);
      const [questions, learners, operations] = await Promise.all([
        has('editor') ? readers.questions() : null,
        has('support') ? readers.learners() : null,
        has('operator') ? readers.operations() : null,
      ]);
      return { questions, learners, operations };
    },
  );
};

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
      config: { access: 'owner', docs: memberDocs.listMembers },
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
      config: { access: 'owner', docs: memberDocs.inviteMember },
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
      config: { access: 'owner', docs: memberDocs.withdrawMember },
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

/** The audit log of administrators' actions. */
export const auditRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/audit',
    {
      config: { access: 'owner', docs: auditDocs.listAudit },
      schema: {
        tags: ['admin'],
        summary: 'The audit log, newest first',
        querystring: AuditQuery,
        response: withErrors({ 200: AuditResponse }),
      },
    },
    async (request) => {
      const { before, actor, action, subject, export: isExport, ...rest } = request.query;
      const filter = { before, actor, action, subject, ...rest };
      if (isExport && !before) {
        await recordLogExport(app.deps.db, { actor: identityOf(request), filter });
      }
      const { entries, ...answer } = await listAuditEntries(app.deps.db, filter);
      return {
        ...answer,
        entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      };
    },
  );
};
