import { Type, type Static } from 'typebox';
import { Closed, OrNull, RowId, Timestamp } from './common.ts';

// Who works in the portal, and as what.

/** The roles that an owner gives. Owners have all rights; their addresses are in `ADMIN_EMAIL`. */
export const MEMBER_ROLES = ['editor', 'support', 'operator'] as const;
export const MemberRole = Type.Union([
  Type.Literal('editor'),
  Type.Literal('support'),
  Type.Literal('operator'),
]);
export type MemberRole = Static<typeof MemberRole>;

export type Role = 'owner' | MemberRole;
export const Role = Type.Union([Type.Literal('owner'), ...MemberRole.anyOf]);

const Member = Closed({
  id: Type.Integer({ minimum: 1 }),
  email: Type.String(),
  role: MemberRole,
  invited_by: Type.String(),
  invited_at: Timestamp,
  accepted_at: OrNull(Timestamp, 'When the person first came with this invitation.'),
});
export type Member = Static<typeof Member>;

export const MembersResponse = Closed({
  owners: Type.Array(Type.String(), { description: 'The addresses in `ADMIN_EMAIL`.' }),
  members: Type.Array(Member, { description: 'By address.' }),
});
export type MembersResponse = Static<typeof MembersResponse>;

export const InviteMemberRequest = Closed({
  email: Type.String({
    maxLength: 254,
    pattern: '^\\s*[^\\s@]+@[^\\s@]+\\.[^\\s@]+\\s*$',
    description: 'A Google address. Trimmed and in lower case.',
  }),
  role: MemberRole,
});
export type InviteMemberRequest = Static<typeof InviteMemberRequest>;

export const MemberParams = Closed({ id: RowId });
