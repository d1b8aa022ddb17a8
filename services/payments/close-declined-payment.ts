import { closePayment } from './close-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';

/** So many cards may be refused for one payment; whoever tries more is trying out stolen ones. */
const MOST_DECLINES = 5;

/** Cancels a payment for which too many cards were declined. */
export async function closeDeclinedPayment(deps: PaymentDeps, payment: Payment): Promise<void> {
  if (payment.state !== 'open') return;
  const { rows } = await deps.db.query<{ declines: number }>(
    'select count(*)::int as declines from card_decline where payment_id = $1',
    [payment.id],
  );
  if (rows[0]!.declines >= MOST_DECLINES) await closePayment(deps, payment, 'declined');
}
