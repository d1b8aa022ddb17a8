import { createAccount } from '@proveklar/services/accounts/account.ts';
import { MEMBER_ROLES, type MemberRole } from '@proveklar/contract/roles.ts';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';
import { addDays } from '#support/factories.ts';
import type { TestGateway } from '#support/gateway.ts';
import { uniqueEmail, withClaims } from '#support/identity.ts';
import { payWithCard } from '#support/pay.ts';
import type { Random } from '#support/random.ts';
import type { Role } from './check-answer.ts';

/** The users signed in as each role. `renew` repairs what the calls do to them. */
export interface Callers {
  /** The Authorization header of a role; null for none. */
  authorization: (role: Role, random: Random) => string | null;
  /** Signs a role in again, or makes a new account: the last one may have been deleted by a call. */
  renew: (role: Role) => Promise<void>;
  /** Whether the user still fits the role: an expired learner may have been given days, a role withdrawn. */
  isStill: (role: Role) => Promise<boolean>;
}

export async function createCallers(gateway: TestGateway): Promise<Callers> {
  const tokens: Partial<Record<Role, string>> = {};
  const uids: Partial<Record<Role, string>> = {};
  const { deps, identity } = gateway;

  async function aLearner(role: Role, days: number): Promise<void> {
    const { uid, email, idToken } = await identity.createPasswordUser();
    await createAccount(deps.db, { uid, email, displayName: 'Fuzz' });
    await addDays(deps.db, { uid, email }, days);
    tokens[role] = idToken;
    uids[role] = uid;
  }

  async function aMember(role: MemberRole): Promise<void> {
    const email = uniqueEmail();
    const { uid, idToken } = await identity.signInWithGoogle({ email });
    await createAccount(deps.db, { uid, email, displayName: null });
    const owners = [deps.config.ADMIN_EMAIL];
    await inviteMember(deps.db, { email, role, actor: 'fuzz', owners });
    tokens[role] = idToken;
    uids[role] = uid;
  }

  const makers: Partial<Record<Role, () => Promise<void>>> = {
    learner: () => aLearner('learner', 30),

    async expired() {
      await aLearner('expired', 1);
      await deps.db.query(
        `with old as (
           update credit set credited_at = credited_at - interval '40 days'
           from account where account.id = account_id and uid = $1)
         update account set service_expires_at = service_expires_at - interval '40 days'
         where uid = $1`,
        [uids.expired],
      );
    },

    editor: () => aMember('editor'),
    support: () => aMember('support'),
    operator: () => aMember('operator'),

    async admin() {
      const email = deps.config.ADMIN_EMAIL;
      const { uid, idToken } = await identity.signInWithGoogle({ email });
      await createAccount(deps.db, { uid, email, displayName: null });
      // Sessions are revoked by whole seconds: this one is younger than any revocation by a call.
      tokens.admin = withClaims(idToken, { auth_time: Math.floor(Date.now() / 1000) + 2 });
    },

    async squatter() {
      const email = uniqueEmail();
      const { idToken } = await identity.createPasswordUser(email);
      const person = { email, username: 'Owner' };
      const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
        body: person,
      });
      await payWithCard(gateway, body.payment_intent_id);
      const confirmed = await gateway.call('POST', '/payment/confirm-registration', {
        body: {
          ...person,
          password: 'et godt passord',
          payment_intent_id: body.payment_intent_id,
        },
      });
      if (!confirmed.body.password_mailed) throw new Error(JSON.stringify(confirmed.body));
      tokens.squatter = idToken;
    },
  };

  const renew = async (role: Role) => makers[role]?.();
  for (const role of Object.keys(makers) as Role[]) await renew(role);

  return {
    renew,

    authorization(role, random) {
      if (role === 'anonymous') return null;
      const pick = (among: string[]) => among[random.below(among.length)]!;
      const good = tokens.learner!;
      const now = Math.floor(Date.now() / 1000);
      const changed = (claims: object) => `Bearer ${withClaims(good, claims)}`;
      if (role === 'garbled') {
        const half = good.slice(0, good.length / 2);
        return pick([
          '',
          'Bearer',
          'Bearer ',
          `Bearer ${half}`,
          'Bearer x.y.z',
          `Basic ${half}`,
          good,
        ]);
      }
      if (role === 'forged') {
        return pick([
          changed({ aud: 'another-project' }),
          changed({ iss: 'https://example.com' }),
          changed({ exp: now - 10 }),
          changed({ iat: now + 86_400, auth_time: now + 86_400 }),
          changed({ sub: '', user_id: '' }),
          changed({ sub: 7 }),
          changed({ exp: 'never' }),
        ]);
      }
      return `Bearer ${tokens[role]!}`;
    },

    async isStill(role) {
      if (MEMBER_ROLES.some((known) => known === role)) {
        const { rowCount } = await deps.db.query(
          `select from portal_member join account using (email)
           where uid = $1 and role = $2 and state = 'active'`,
          [uids[role], role],
        );
        return rowCount === 1;
      }
      if (role !== 'expired') return true;
      const { rowCount } = await deps.db.query(
        `select from account cross join settings where uid = $1
           and price_ore > 0 and service_expires_at < now()`,
        [uids.expired],
      );
      return rowCount === 1;
    },
  };
}
