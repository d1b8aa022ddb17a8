import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import type { TestGateway } from './gateway.ts';
import { uniqueEmail } from './identity.ts';
import { payWithCard } from './pay.ts';

export interface BoughtPacket {
  /** Our own id of the payment. */
  id: string;
  intentId: string;
  clientSecret: string;
  /** The key to the buyer's page. */
  key: string;
  email: string;
  codes: string[];
}

/** Starts the payment of a packet. */
export async function beginPacket(
  gateway: Pick<TestGateway, 'call' | 'deps'>,
  { email = uniqueEmail(), codes = 5 } = {},
): Promise<Omit<BoughtPacket, 'codes'>> {
  const { body } = await gateway.call('POST', '/packets/create-intent', {
    body: {
      email,
      organisation: 'Voksenopplæringen',
      organisation_number: '923609016',
      codes,
    },
  });
  const { payment_intent_id: intentId, client_secret: clientSecret, packet_key: key } = body;
  const payment = await findPaymentByIntent(gateway.deps.db, intentId);
  return { id: payment!.id, intentId, clientSecret, key, email };
}

/** Buys a packet with a card that is accepted, and reads its codes on the buyer's page. */
export async function buyPacket(
  gateway: Pick<TestGateway, 'call' | 'deps'>,
  options: { email?: string; codes?: number } = {},
): Promise<BoughtPacket> {
  const packet = await beginPacket(gateway, options);
  await payWithCard(gateway, packet.intentId);
  const { body } = await gateway.call('POST', '/packets/read', { body: { key: packet.key } });
  return { ...packet, codes: body.kept_codes };
}
