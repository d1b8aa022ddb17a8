import { beforeAll, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import type { DeliveredEvent, EventName } from '#events/catalogue.ts';
import type { OutgoingMail } from '#mail/send-mail.ts';
import { makeRefund, requestRefund } from '#payments/refund.ts';
import { buyPacket } from '@proveklar/tests/support/codes.ts';
import { createLearner, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { redeemCode } from '#payments/codes/redeem-code.ts';
import { mailPacket, type PacketMailDeps } from './code-packet.ts';
import { mailRedeemedCode } from './code-redeemed.ts';
import { mailRefund } from './payment-refunded.ts';

const gateway = useTestGateway();
const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
beforeAll(() => setPrice(gateway.deps.db, 149_00));

/** Sends the mail for the newest event of a name. */
async function mailed<N extends EventName>(
  name: N,
  tell: (deps: PacketMailDeps, event: DeliveredEvent<N>) => Promise<unknown>,
) {
  const { rows } = await gateway.deps.db.query<DeliveredEvent<N>>(
    'select id, payload from outbox where name = $1 order by id desc limit 1',
    [name],
  );
  const mails: OutgoingMail[] = [];
  const send = async (mail: OutgoingMail) => void mails.push(mail);
  const outcome = await tell({ ...gateway.deps, mailer: { send }, addresses }, rows[0]!);
  return { outcome, to: mails[0]?.to, text: mails[0]?.text.replaceAll(/[\u00A0\u202F]/g, ' ') };
}

test('the buyer of a packet is mailed its codes, the receipt and the link to its page', async () => {
  const { email, codes, key } = await buyPacket(gateway);
  const { to, text } = await mailed('packet.settled', mailPacket);
  expect(to).toBe(email);
  for (const code of codes) expect(text).toContain(code);
  expect(text).toContain('Voksenopplæringen');
  expect(text).toContain('923 609 016');
  expect(text).toContain('745 kr');
  expect(text).toContain(`https://example.no/skoler/koder#key=${key}`);
  expect(await mailed('packet.settled', mailPacket)).toMatchObject({ outcome: 'sent_before' });
});

test('a buyer who keeps the codes before the mail is sent gets them in it, and then they are deleted', async () => {
  const { id, codes, key } = await buyPacket(gateway);
  const sealed = async () =>
    (
      await gateway.deps.db.query('select sealed_codes from code_packet where payment_id = $1', [
        id,
      ])
    ).rows[0]!.sealed_codes as Buffer | null;
  await gateway.call('POST', '/packets/keep', { body: { key } });
  const page = await gateway.call('POST', '/packets/read', { body: { key } });
  expect(page.body.kept_codes).toBeNull();
  expect(await sealed()).not.toBeNull();
  const { text } = await mailed('packet.settled', mailPacket);
  for (const code of codes) expect(text).toContain(code);
  expect(await sealed()).toBeNull();
});

test('the buyer of a packet is mailed its refund, and that the codes are gone', async () => {
  const { email, key } = await buyPacket(gateway);
  const body = { key, refund_amount: 745_00 };
  const { id } = (await gateway.call('POST', '/packets/refund', { body })).body;
  await makeRefund(gateway.deps, id);
  const { to, text } = await mailed('payment.refunded', mailRefund);
  expect(to).toBe(email);
  expect(text).toContain('Vi har betalt tilbake 745 kr');
  expect(text).toContain('kan ikke brukes lenger');
});

test('the buyer of a packet whose refund leaves one code is mailed that it can still be used', async () => {
  const { id: paymentId } = await buyPacket(gateway);
  const { id } = await withTransaction(gateway.deps.db, (tx) =>
    requestRefund(tx, {
      paymentId,
      amountOre: 4 * 149_00,
      reason: 'administrator',
      requestedBy: 'admin@example.no',
    }),
  );
  await makeRefund(gateway.deps, id);
  expect((await mailed('payment.refunded', mailRefund)).text).toContain('\n1 kode kan fortsatt');
});

test('the owner of an account is mailed that a code has given it days', async () => {
  const { codes } = await buyPacket(gateway);
  const { id, email } = await createLearner(gateway.deps.db, { days: 0 });
  await redeemCode(gateway.deps, id, codes[0]!);
  const { to, text } = await mailed('code.redeemed', mailRedeemedCode);
  expect(to).toBe(email);
  expect(text).toContain('En kode er brukt på kontoen din.');
  expect(text).not.toContain('Voksenopplæringen');
});
