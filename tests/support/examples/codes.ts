import { closePayment } from '@proveklar/services/payments/close-payment.ts';
import { findPayment } from '@proveklar/services/payments/payment.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { createPacketIntent } from '@proveklar/gateway/openapi/examples/code-packets.ts';
import {
  ACCESS_CODE,
  CLIENT_SECRET,
  DEMO_EMAIL,
  DEMO_NAME,
  PACKET_KEY,
  PAYMENT_INTENT_ID,
} from '@proveklar/gateway/openapi/examples/values.ts';
import { beginPacket, buyPacket } from '../codes.ts';
import { setPrice } from '../factories.ts';
import type { TestGateway } from '../gateway.ts';
import { uniqueEmail } from '../identity.ts';
import { signIn, type Call, type SetUp, type SetUps } from './set-up.ts';

/** A school that has bought nothing yet. */
const buyer = async (): Promise<Call & { real: Record<string, string> }> => ({
  real: { [DEMO_EMAIL]: uniqueEmail() },
});

/** A packet that was started and is not paid yet. */
async function begun(gateway: TestGateway): Promise<Call> {
  const { real } = await buyer();
  const packet = await beginPacket(gateway, { email: real[DEMO_EMAIL]! });
  return {
    real: {
      ...real,
      [PACKET_KEY]: packet.key,
      [CLIENT_SECRET]: packet.clientSecret,
      [PAYMENT_INTENT_ID]: packet.intentId,
    },
  };
}

async function bought(gateway: TestGateway) {
  const { real } = await buyer();
  const packet = await buyPacket(gateway, { email: real[DEMO_EMAIL]! });
  return { packet, real: { ...real, [PACKET_KEY]: packet.key, [ACCESS_CODE]: packet.codes[0]! } };
}

const paid: SetUp = async (gateway) => ({ real: (await bought(gateway)).real });

const redeem = async (gateway: TestGateway, code: string) => {
  const { token } = await signIn(gateway, 0);
  await gateway.call('POST', '/account/redeem-code', { token: token, body: { code } });
};

/** A packet of which one code was used. */
const partlyUsed: SetUp = async (gateway) => {
  const { packet, real } = await bought(gateway);
  await redeem(gateway, packet.codes[0]!);
  return { real };
};

const usedAndKept: SetUp = async (gateway) => {
  const call = await partlyUsed(gateway);
  await gateway.call('POST', '/packets/keep', { body: { key: call.real![PACKET_KEY] } });
  return call;
};

/** `days` days after the purchase. */
const later =
  (days: number): SetUp =>
  async (gateway) => {
    const { real } = await bought(gateway);
    await gateway.deps.db.query(
      `update payment set settled_at = settled_at - $1 * interval '1 day'`,
      [days],
    );
    return { real };
  };

const withdrawn: SetUp = async (gateway) => {
  const { real, packet } = await bought(gateway);
  const body = { key: packet.key, refund_amount: 5 * 149_00 };
  await gateway.call('POST', '/packets/refund', { body });
  return { real };
};

const disputed: SetUp = async (gateway) => {
  const { real } = await bought(gateway);
  await gateway.deps.db.query(`update payment set dispute = 'open'`);
  return { real };
};

const expired: SetUp = async (gateway) => {
  const { real } = await bought(gateway);
  await gateway.deps.db.query('update code_packet set expires_at = clock_timestamp()');
  return { real };
};

const used: SetUp = async (gateway) => {
  const { real, packet } = await bought(gateway);
  await redeem(gateway, packet.codes[0]!);
  return { real };
};

/** A learner without days, who has what `give` gives. */
const asLearner =
  (give: SetUp): SetUp =>
  async (gateway) => {
    const given = await give(gateway);
    const { token, real } = await signIn(gateway, 0);
    return { ...given, token, real: { ...given.real, ...real } };
  };

/** A person without an account who registers with the code that `give` gives. */
const asNewcomer =
  (give: SetUp): SetUp =>
  async (gateway) => {
    const { real } = await give(gateway);
    const email = uniqueEmail();
    const body = { code: ACCESS_CODE, email: DEMO_EMAIL, password: 'et godt passord' };
    return { real: { ...real, [DEMO_EMAIL]: email }, body: { ...body, username: DEMO_NAME } };
  };

/** A repeated click whose payment was closed meanwhile. */
const clickedAgain =
  (reason: 'learner' | 'abandoned'): SetUp =>
  async (gateway) => {
    const { real } = await buyer();
    const { headers, body } = createPacketIntent.examples.five!;
    const started = await gateway.call('POST', '/packets/create-intent', {
      headers: headers as Record<string, string>,
      body: { ...body, email: real[DEMO_EMAIL] },
    });
    const id = (started.body.packet_key as string).split('.')[0]!;
    await closePayment(gateway.deps, (await findPayment(gateway.deps.db, id))!, reason);
    return { real };
  };

const limitedTo =
  (limit: 'perAddress' | 'perEmail', begin: SetUp): SetUp =>
  async (gateway) => ({
    ...(await begin(gateway)),
    deps: { limits: { ...gateway.deps.limits, [limit]: 1 } },
  });

/** A learner who has tried one code within the hour. */
const triedBefore: SetUp = async (gateway) => {
  const { token, real } = await signIn(gateway, 0);
  await gateway.call('POST', '/account/redeem-code', { token: token, body: { code: 'x' } });
  return { token, real };
};

const withoutStripe =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const stripe = createStripeClient({ secretKey: 'sk_test_x', apiUrl: gateway.identity.url });
    return { ...(await begin(gateway)), deps: { stripe } };
  };

export const codeSetUps: SetUps = {
  'createPacketIntent.five': buyer,
  'createPacketIntent.service_free': async (gateway) => {
    await setPrice(gateway.deps.db, 0);
    return buyer();
  },
  'createPacketIntent.rate_limited': limitedTo('perAddress', begun),
  'createPacketIntent.payment_cancelled': clickedAgain('learner'),
  'createPacketIntent.payment_expired': clickedAgain('abandoned'),
  'createPacketIntent.payments_closed': async () => ({
    ...(await buyer()),
    deps: { isLive: true },
  }),
  'createPacketIntent.payment_provider_failed': withoutStripe(buyer),

  'readPacket.unpaid': begun,
  'readPacket.settled': usedAndKept,
  'readPacket.packet_not_found': async () => ({}),
  'readPacket.payment_provider_failed': withoutStripe(begun),
  'keepCodes.kept': paid,
  'keepCodes.packet_not_found': async () => ({}),
  'refundPacket.all': paid,
  'refundPacket.packet_not_found': async () => ({}),
  'refundPacket.withdrawal_over': later(30),
  'refundPacket.withdrawal_changed': partlyUsed,
  'refundPacket.payment_not_refundable': disputed,

  'redeemCode.redeemed': asLearner(paid),
  'redeemCode.code_unknown': (gateway) => signIn(gateway, 0),
  'redeemCode.code_used': asLearner(used),
  'redeemCode.code_expired': asLearner(expired),
  'redeemCode.code_withdrawn': asLearner(withdrawn),
  'redeemCode.rate_limited': limitedTo('perEmail', triedBefore),

  'confirmRegistration.with_code': asNewcomer(paid),
  'confirmRegistration.code_unknown': asNewcomer(async () => ({ real: {} })),
  'confirmRegistration.code_used': asNewcomer(used),
  'confirmRegistration.code_expired': asNewcomer(expired),
  'confirmRegistration.code_withdrawn': asNewcomer(withdrawn),
};
