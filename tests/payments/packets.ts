import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { TestIdentity } from '#support/identity.ts';
import { uniqueEmail } from '#support/identity.ts';
import { randomFor } from '#support/random.ts';
import { addressOf, PASSWORD, pay, reverse, type World } from './learner.ts';
import { isPaid, type PaymentPlan } from './plan.ts';
import type { Truth } from './stripe-truth.ts';

/** Codes in a packet of a run. */
const CODES = 5;
/** People who try one code at the same time. */
const RIVALS = 4;
const POLL_INTERVAL_MS = 200;

/** The people who were told that a code is theirs, by code. */
export type Redeemed = Map<string, Set<string>>;

/**
 * A school buys a packet and gives away its codes: some are redeemed by several people at once, some are not used, and
 * refunds and disputes happen meanwhile.
 */
export async function buyAndRedeem(
  world: World,
  plan: PaymentPlan,
  redeemed: Redeemed,
): Promise<void> {
  const { client, seed } = world;
  const random = randomFor(seed, `moments of payment ${plan.number}`);
  const address = addressOf(plan);
  const email = uniqueEmail();
  const { intentId, secret, key } = await begin(world, plan, email);
  world.onBegun(intentId, plan);
  const read = (dropAfterMs?: number) =>
    client.call({
      path: '/packets/read',
      body: { key },
      address,
      ...(dropAfterMs !== undefined && { dropAfterMs }),
    });
  if (plan.dropsConnection) await read(random.below(40));
  await pay(world, plan, intentId, secret);
  const reversing = plan.reversedEarly ? reverse(world, plan.reversal, intentId, random) : null;
  if (isPaid(plan.bankOutcome)) {
    if (plan.dropsConnection) await read(random.below(40));
    const codes = await readCodes(read);
    // The last two codes are not used by anyone.
    for (const code of codes.slice(0, CODES - 2)) await compete(world, address, code, redeemed);
  }
  await reversing;
  if (!reversing) await reverse(world, plan.reversal, intentId, random);
  world.onDone();
}

/** Clicks until it is accepted: the price may change meanwhile, and a new click then starts a new payment. */
async function begin({ client }: World, plan: PaymentPlan, email: string) {
  for (let click = 1; ; click += 1) {
    const answer = await client.call({
      path: '/packets/create-intent',
      body: { email, organisation: 'Skole', codes: CODES },
      key: `click-${plan.number}-${click}-${email}`,
      address: addressOf(plan),
    });
    const { status, body } = answer!;
    if (status === 200) {
      const { payment_intent_id: intentId, client_secret: secret, packet_key: key } = body;
      return { intentId: intentId as string, secret: secret as string, key: key as string };
    }
    if (body.code !== 'payment_cancelled') throw new Error(`packet: ${JSON.stringify(answer)}`);
  }
}

/** The bank may still be processing the payment. */
async function readCodes(
  read: () => Promise<{ status: number; body: { kept_codes: string[] | null } } | null>,
): Promise<string[]> {
  for (;;) {
    const answer = await read();
    if (answer?.body.kept_codes) return answer.body.kept_codes;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Half of the rivals register with the code, half have an account already. */
async function compete(
  { client, identity }: World,
  address: string,
  code: string,
  redeemed: Redeemed,
): Promise<void> {
  const tellers = new Set<string>();
  redeemed.set(code, tellers);
  const rival = async (number: number) => {
    const email = uniqueEmail();
    const isNew = number % 2 === 0;
    const token = isNew ? null : (await identity.createPasswordUser(email, PASSWORD)).idToken;
    // Each sends it twice, as after a lost answer.
    const answers = await Promise.all(
      [1, 2].map(() =>
        token
          ? client.call({ path: '/account/redeem-code', body: { code }, token, address })
          : client.call({
              path: '/payment/confirm-registration',
              body: { code, email, username: 'Ny', password: PASSWORD },
              address,
            }),
      ),
    );
    if (answers.some((answer) => answer?.status === 200)) tellers.add(email);
  };
  await Promise.all(Array.from({ length: RIVALS }, (_, number) => rival(number)));
}

interface PacketRow {
  intent: string;
  state: string;
  receipts: number;
  codes: number;
  used: number;
  withdrawn: number;
  sealed: boolean;
}

/** What is wrong with packets and codes; every count must be 0. */
export async function checkPackets(
  { db, identity }: { db: Database; identity: TestIdentity },
  truths: readonly Truth[],
  redeemed: Redeemed,
): Promise<Record<string, number>> {
  const { rows } = await db.query<PacketRow>(
    `select payment_intent_id as intent, payment.state, sealed_codes is not null as sealed,
       (select count(*)::int from receipt where receipt.payment_id = payment.id) as receipts,
       count(access_code.id)::int as codes, count(redeemed_at)::int as used,
       count(withdrawn_at)::int as withdrawn
     from payment join code_packet on code_packet.payment_id = payment.id
       left join access_code on access_code.payment_id = payment.id
     group by payment.id, sealed_codes`,
  );
  const packets = new Map(rows.map((row) => [row.intent, row]));
  const paid = truths.filter(({ purpose, succeeded }) => purpose === 'packet' && succeeded);
  const owners = await db.query<{ email: string; credits: number }>(
    `select account.email, count(*)::int as credits from credit
       join account on account.id = account_id where code_id is not null group by account.email`,
  );
  const told = [...redeemed.values()].flatMap((emails) => [...emails]);
  const credited = owners.rows.map(({ email }) => email);
  const signsIn = await Promise.all(
    credited.map((email) =>
      identity.signInWithPassword(email, PASSWORD).then(
        () => true,
        () => false,
      ),
    ),
  );
  const { rows: ledger } = await db.query<{ credits: number; used: number }>(
    `select (select count(*)::int from credit where code_id is not null) as credits,
       (select count(*)::int from access_code where redeemed_at is not null) as used`,
  );
  return {
    'packets without their codes': paid.filter(({ intentId }) => {
      const packet = packets.get(intentId);
      return packet?.codes !== CODES || packet.receipts !== 1 || !packet.sealed;
    }).length,
    'unpaid packets with codes': rows.filter(
      ({ intent, codes }) => codes > 0 && !paid.some(({ intentId }) => intentId === intent),
    ).length,
    'packets with wrongly withdrawn codes': paid.filter((truth) => {
      const packet = packets.get(truth.intentId)!;
      const isDisputed = truth.dispute === 'open' || truth.dispute === 'lost';
      const share = Math.floor((CODES * truth.refundedOre) / truth.amountOre);
      const target = isDisputed ? CODES : share;
      return packet.withdrawn !== Math.min(target, CODES - packet.used);
    }).length,
    'codes redeemed by two people': [...redeemed.values()].filter(({ size }) => size > 1).length,
    'codes used without a credit, or the reverse': Math.abs(ledger[0]!.credits - ledger[0]!.used),
    'people told that a code is theirs, and without days': told.filter(
      (email) => !credited.includes(email),
    ).length,
    'people with days from a code who were not told': credited.filter(
      (email) => !told.includes(email),
    ).length,
    'people with a code who cannot sign in': signsIn.filter((can) => !can).length,
  };
}
