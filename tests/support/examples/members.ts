import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { EDITOR_EMAIL } from '@proveklar/gateway/openapi/examples/members.ts';
import { ADMIN_EMAIL } from '@proveklar/gateway/openapi/examples/values.ts';
import type { TestGateway } from '../gateway.ts';
import { signInAdmin, type Call, type SetUps } from './set-up.ts';

async function anOwner(gateway: TestGateway): Promise<Call & { token: string }> {
  const { email, token } = await signInAdmin(gateway);
  return { token, real: { [ADMIN_EMAIL]: email } };
}

/** An owner and an editor. */
async function anEditor(gateway: TestGateway): Promise<Call & { token: string }> {
  const call = await anOwner(gateway);
  const actor = call.real![ADMIN_EMAIL]!;
  const { db } = gateway.deps;
  await inviteMember(db, { email: EDITOR_EMAIL, role: 'editor', actor, owners: [actor] });
  return call;
}

async function theEditor(gateway: TestGateway): Promise<Call> {
  const call = await anEditor(gateway);
  const { rows } = await gateway.deps.db.query<{ id: number }>('select id from portal_member');
  return { ...call, path: { id: String(rows[0]!.id) } };
}

async function invitedOwner(gateway: TestGateway): Promise<Call> {
  const call = await anOwner(gateway);
  return { ...call, body: { email: call.real![ADMIN_EMAIL]!, role: 'editor' } };
}

export const membersSetUps: SetUps = {
  'listMembers.editor': anEditor,
  'inviteMember.invited': anOwner,
  'inviteMember.already_owner': invitedOwner,
  'withdrawMember.withdrawn': theEditor,
};
