import type { User } from '@proveklar/services/accounts/user.ts';
import type { VerifiedIdentity } from '@proveklar/services/identity/verified-identity.ts';
import type { User as UserBody } from '#contract/users.ts';

/** A user as this caller sees them. */
export function toUserBody(user: User, caller: VerifiedIdentity): UserBody {
  return {
    ...user,
    created_at: user.created_at.toISOString(),
    last_login: user.last_login?.toISOString() ?? null,
    last_refresh: user.last_refresh?.toISOString() ?? null,
    last_active_at: user.last_active_at?.toISOString() ?? null,
    service_expires_at: user.service_expires_at?.toISOString() ?? null,
    is_self: user.uid === caller.uid || user.email === caller.email,
  };
}
