import { closePayment } from './close-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';

/** Cancels a payment for which too many cards were declined: somebody is trying out stolen ones. */
export async function closeDeclinedPayment(deps: PaymentDeps, payment: Payment): Promise<void> {
  if (payment.state !== 'open') return;
  const { rows } = await deps.db.query<{ declines: number }>(
    'select count(*)::int as declines from card_decline where payment_id = $1',
    [payment.id],
  );
  if (rows[0]!.declines >= deps.limits.declines) await closePayment(deps, payment, 'declined');
}
