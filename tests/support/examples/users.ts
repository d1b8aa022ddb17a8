import { createAccount } from '@proveklar/services/accounts/account.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { DEMO_UID, USERS_PAGE_TOKEN } from '@proveklar/gateway/openapi/examples/users.ts';
import type { TestGateway } from '../gateway.ts';
import {
  addExampleQuestions,
  signIn,
  signInAdmin,
  type Call,
  type SetUp,
  type SetUps,
} from './set-up.ts';

/** The administrator, and a learner who has started a quiz. */
async function aLearner(gateway: TestGateway): Promise<Call> {
  await addExampleQuestions(gateway);
  const [admin, learner] = [await signInAdmin(gateway), await signIn(gateway)];
  await gateway.identity.signInWithPassword(learner.email, 'a password 123');
  const body = { topic: 'Historie' };
  await gateway.call('POST', '/quiz/start', { token: learner.token, body });
  return { token: admin.token, real: { ...learner.real, [DEMO_UID]: learner.uid } };
}

/** Two users found, one per page, and the token of the second page. */
async function secondPage(gateway: TestGateway): Promise<Call> {
  const call = await aLearner(gateway);
  const [email = ''] = Object.values(call.real!);
  const { token = '' } = call;
  const other = { uid: crypto.randomUUID(), email: `0${email}`, displayName: null };
  await createAccount(gateway.deps.db, other);
  const path = `/admin/users?email=${email}&page_size=1`;
  const { body } = await gateway.call('GET', path, { token });
  return { token, real: { ...call.real, [USERS_PAGE_TOKEN]: body.next_page_token as string } };
}

/** A learner with an open payment; no Stripe answers at the client's address. */
async function aPayer(gateway: TestGateway): Promise<Call> {
  const [admin, learner] = [await signInAdmin(gateway), await signIn(gateway)];
  await gateway.call('POST', '/payment/create-intent', { token: learner.token });
  const stripe = createStripeClient({ secretKey: 'sk_test_x', apiUrl: gateway.identity.url });
  return { token: admin.token, real: { [DEMO_UID]: learner.uid }, deps: { stripe } };
}

async function oneself(gateway: TestGateway): Promise<Call> {
  const { uid, token } = await signInAdmin(gateway);
  return { token, path: { uid } };
}

async function unknownUser(gateway: TestGateway): Promise<Call> {
  const { token } = await signInAdmin(gateway);
  return { token, path: { uid: crypto.randomUUID() } };
}

const withoutProvider =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const fail = () => Promise.reject(new AppError('identity_provider_failed'));
    const { identity } = gateway.deps;
    const failing = { ...identity, listUsers: fail, findUsers: fail, findByUid: fail };
    return { ...(await begin(gateway)), deps: { identity: failing } };
  };

async function disabled(gateway: TestGateway): Promise<Call> {
  const call = await aLearner(gateway);
  const { token = '', real } = call;
  await gateway.call('POST', `/admin/users/${real![DEMO_UID]!}/disable`, { token });
  return call;
}

export const usersSetUps: SetUps = {
  'listUsers.found': secondPage,
  'listUsers.identity_provider_failed': withoutProvider(secondPage),

  'readPerson.learner': aLearner,
  'readPerson.user_not_found': unknownUser,
  'readPerson.identity_provider_failed': withoutProvider(aLearner),

  'deleteUser.deleted': aLearner,
  'deleteUser.cannot_delete_self': oneself,
  'deleteUser.user_not_found': unknownUser,
  'deleteUser.identity_provider_failed': withoutProvider(aLearner),
  'deleteUser.payment_provider_failed': aPayer,

  'disableUser.disabled': aLearner,
  'disableUser.cannot_disable_self': oneself,
  'disableUser.user_not_found': unknownUser,
  'disableUser.identity_provider_failed': withoutProvider(aLearner),

  'enableUser.enabled': disabled,
  'enableUser.user_not_found': unknownUser,
  'enableUser.identity_provider_failed': withoutProvider(aLearner),

  'sendPasswordLink.sent': aLearner,
  'sendPasswordLink.user_not_found': unknownUser,
  'sendPasswordLink.identity_provider_failed': withoutProvider(aLearner),
};
