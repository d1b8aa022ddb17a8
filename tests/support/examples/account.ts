import { AppError } from '@proveklar/services/errors/app-error.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { createPasswordToken } from '@proveklar/services/accounts/password-links.ts';
import { LINK_TOKEN } from '@proveklar/gateway/openapi/examples/password.ts';
import { DEMO_UID } from '@proveklar/gateway/openapi/examples/users.ts';
import { DEMO_EMAIL, QUESTIONS, QUIZ_ID } from '@proveklar/gateway/openapi/examples/values.ts';
import { countEvents } from '../count-events.ts';
import type { TestGateway } from '../gateway.ts';
import { uniqueEmail, withClaims } from '../identity.ts';
import {
  addExampleQuestions,
  signIn,
  signInAdmin,
  type Call,
  type SetUp,
  type SetUps,
} from './set-up.ts';

/** A learner with a plan, who has answered a question of a quiz, handed the quiz in and reported the question. */
async function practised(gateway: TestGateway): Promise<Call> {
  await addExampleQuestions(gateway);
  const { token, uid, real } = await signIn(gateway);
  const post = async (path: string, body?: object) =>
    (await gateway.call('POST', path, { token, body })).body;
  const { id } = await post('/quiz/start', { topic: 'Historie' });
  const [{ uuid, answer }] = QUESTIONS;
  await post(`/quiz/${id}/answer`, { question_id: uuid, answer, shown_ms: 12_400 });
  await post(`/quiz/${id}/end`);
  await post(`/questions/${uuid}/feedback`, { type: 'thumbs_down', reason: 'unclear' });
  await countEvents(gateway.deps.db);
  await gateway.deps.db.query(
    `insert into learner_plan (account_id, exam_date)
     select id, '2026-02-10' from account where uid = $1`,
    [uid],
  );
  const { rows } = await gateway.deps.db.query<{ due_on: string }>(
    'select due_on::text as due_on from learner_question',
  );
  const changed = { [DEMO_UID]: uid, [QUIZ_ID]: id as string, '2026-02-06': rows[0]!.due_on };
  return { token, real: { ...real, ...changed } };
}

const withoutProvider =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const fail = () => Promise.reject(new AppError('identity_provider_failed'));
    const { identity } = gateway.deps;
    const changes = { setDisplayName: fail, setPassword: fail, sendEmailChangeLink: fail };
    const failing = { ...identity, findByUid: fail, ...changes };
    return { ...(await begin(gateway)), deps: { identity: failing } };
  };

/** As many calls as an account may make within an hour, so that the next one is too many. */
const oneTooMany =
  (call: 'export' | 'profile_change', begin: SetUp): SetUp =>
  async (gateway) => {
    const begun = await begin(gateway);
    await gateway.deps.db.query(
      `insert into limited_call (account_id, call)
       select id, $1 from account cross join generate_series(1, 60)`,
      [call],
    );
    return begun;
  };

/** A learner who wants an address that no other test has. */
async function newAddress(gateway: TestGateway): Promise<Call> {
  const call = await signIn(gateway);
  return { ...call, real: { ...call.real, 'kari.nordmann@example.no': uniqueEmail() } };
}

/** A learner whose page has been open for more than five minutes. */
async function signedInLongAgo(gateway: TestGateway): Promise<Call> {
  const { token } = await signIn(gateway);
  const auth_time = Math.floor(Date.now() / 1000) - 301;
  return { token: withClaims(token, { auth_time }) };
}

/** A client of an address where no Stripe answers. */
const notStripe = ({ identity }: TestGateway) =>
  createStripeClient({ secretKey: 'sk_test_x', apiUrl: identity.url });

/** A learner to whom a link to choose a password was mailed. */
async function withLink(gateway: TestGateway): Promise<Call> {
  const { uid, email, real } = await signIn(gateway);
  const token = await createPasswordToken(gateway.deps.db, { uid, email });
  return { real: { ...real, [LINK_TOKEN]: token } };
}

const voidLink =
  (change: string): SetUp =>
  async (gateway) => {
    const call = await withLink(gateway);
    await gateway.deps.db.query(`update password_token set ${change} where email = $1`, [
      call.real![DEMO_EMAIL],
    ]);
    return call;
  };

/** Examples that need few rows: the account, the configuration, events, health. */
export const accountSetUps: SetUps = {
  'readAccount.active': (gateway) => signIn(gateway),
  'readAccount.without_service': (gateway) => signIn(gateway, 0),

  'changeProfile.changed': (gateway) => signIn(gateway),
  'changeProfile.rate_limited': oneTooMany('profile_change', signIn),
  'changeProfile.identity_provider_failed': withoutProvider(signIn),

  'changePassword.changed': (gateway) => signIn(gateway),
  'changePassword.recent_sign_in_required': signedInLongAgo,
  'changePassword.password_refused': async (gateway) => {
    const setPassword = () => Promise.reject(new AppError('password_refused'));
    const identity = { ...gateway.deps.identity, setPassword };
    return { ...(await signIn(gateway)), deps: { identity } };
  },
  'changePassword.rate_limited': oneTooMany('profile_change', signIn),
  'changePassword.identity_provider_failed': withoutProvider(signIn),

  'changeEmail.asked': newAddress,
  'changeEmail.recent_sign_in_required': signedInLongAgo,
  'changeEmail.email_refused': async (gateway) => {
    const sendEmailChangeLink = () => Promise.reject(new AppError('email_refused'));
    const identity = { ...gateway.deps.identity, sendEmailChangeLink };
    return { ...(await signIn(gateway)), deps: { identity } };
  },
  'changeEmail.rate_limited': oneTooMany('profile_change', signIn),
  'changeEmail.identity_provider_failed': withoutProvider(signIn),

  'forgotPassword.asked': async () => ({}),
  'forgotPassword.rate_limited': async ({ deps }) => {
    const email = uniqueEmail();
    await deps.db.query(
      `insert into password_request (email, reason, language, client_address)
       values ($1, 'forgotten', 'no', '127.0.0.1')`,
      [email],
    );
    return { real: { [DEMO_EMAIL]: email }, deps: { limits: { ...deps.limits, perEmail: 1 } } };
  },

  'readPasswordLink.valid': withLink,
  'readPasswordLink.password_link_invalid': voidLink('used_at = now()'),
  'readPasswordLink.identity_provider_failed': withoutProvider(withLink),

  'choosePassword.chosen': withLink,
  'choosePassword.password_link_invalid': voidLink('expires_at = now()'),
  'choosePassword.password_refused': async (gateway) => {
    const refuse = () => Promise.reject(new AppError('password_refused'));
    const identity = { ...gateway.deps.identity, choosePassword: refuse };
    return { ...(await withLink(gateway)), deps: { identity } };
  },
  'choosePassword.account_disabled': async (gateway) => {
    const call = await withLink(gateway);
    await gateway.deps.db.query(`update account set state = 'disabled' where email = $1`, [
      call.real![DEMO_EMAIL],
    ]);
    return call;
  },
  'choosePassword.identity_provider_failed': withoutProvider(withLink),

  'exportAccount.practised': practised,
  'exportAccount.rate_limited': oneTooMany('export', practised),
  'exportAccount.identity_provider_failed': withoutProvider(practised),

  'deleteAccount.deleted': (gateway) => signIn(gateway),
  'deleteAccount.recent_sign_in_required': signedInLongAgo,
  'deleteAccount.cannot_delete_self': signInAdmin,
  'deleteAccount.user_not_found': async ({ identity }) => {
    const user = await identity.createPasswordUser();
    await identity.deleteUser(user.uid);
    return { token: user.idToken };
  },
  'deleteAccount.identity_provider_failed': withoutProvider(signIn),
  'deleteAccount.payment_provider_failed': async (gateway) => {
    const { token } = await signIn(gateway);
    await gateway.call('POST', '/payment/create-intent', { token });
    return { token, deps: { stripe: notStripe(gateway) } };
  },

  'reportBrowserError.error': async () => ({}),
  'reportCspViolations.violation': async () => ({
    headers: { 'content-type': 'application/csp-report' },
  }),

  'readConfig.local': async ({ deps, identity, stripeUrl }) => ({
    real: {
      'demo-proveklar': deps.config.FIREBASE_PROJECT_ID,
      'http://127.0.0.1:9099': identity.url,
      'http://127.0.0.1:12111': stripeUrl,
    },
  }),

  'streamEvents.ready': (gateway) => signIn(gateway),

  'isLive.live': async () => ({}),
  'isReady.ready': async () => ({}),
};
