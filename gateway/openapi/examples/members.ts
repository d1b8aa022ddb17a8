import type { InviteMemberRequest, MembersResponse } from '@proveklar/contract/roles.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

export const EDITOR_EMAIL = 'redaktor@example.no';
const owners = [ADMIN_EMAIL];
const EDITOR = {
  id: 1,
  email: EDITOR_EMAIL,
  role: 'editor',
  invited_by: ADMIN_EMAIL,
  invited_at: '2026-01-20T09:00:00.000Z',
  accepted_at: null,
} as const;

export const listMembers: OperationDocs<never, MembersResponse> = {
  operationId: 'listMembers',
  description:
    'An editor has the questions, imports, quality, glossary and reports (without the address of who reported). Support has users, grants of days, reports and payments, which it can only read. An operator has the status of the service, its queues, backups and rejected events, and no data of learners. A role needs a sign-in by Google under the invited address; the first call with it accepts the invitation.',
  examples: {
    editor: { summary: 'An owner and an editor', answer: { owners, members: [EDITOR] } },
  },
};

export const inviteMember: OperationDocs<InviteMemberRequest, MembersResponse> = {
  operationId: 'inviteMember',
  description: 'For an invited address, changes the role. Idempotent. Sends no mail.',
  examples: {
    invited: {
      summary: 'An editor',
      body: { email: EDITOR_EMAIL, role: 'editor' },
      answer: { owners, members: [EDITOR] },
    },
  },
  errors: { already_owner: {} },
};

export const withdrawMember: OperationDocs<never, MembersResponse> = {
  operationId: 'withdrawMember',
  description: 'Also ends what the person has begun and not yet committed. Idempotent.',
  examples: {
    withdrawn: { summary: 'The editor', path: { id: 1 }, answer: { owners, members: [] } },
  },
};
