import { useParams } from '@tanstack/react-router';
import { useIsOwner } from '#components/admin/role.ts';
import { AuditOf } from '#features/audit/audit.tsx';
import { PersonScreen } from '#features/users/person.tsx';

/** Owners also read what was done to the person. */
export function PersonRoute() {
  const { uid } = useParams({ from: '/identified/admin/dashboard/users/$uid' });
  const log = useIsOwner() ? (email: string) => <AuditOf subject={email} /> : null;
  return <PersonScreen key={uid} uid={uid} log={log} />;
}
