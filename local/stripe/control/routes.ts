import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { commitWork } from '../commit-work.ts';
import type { Context } from '../context.ts';
import { resourceMissing } from '../errors.ts';
import type { Kept } from '../kept.ts';
import { AUTHENTICATIONS, authenticatePayment } from '../payments/authenticate-payment.ts';
import { disputeCharge } from '../payments/dispute-charge.ts';
import { DISPUTE_REASONS } from '../payments/dispute-reasons.ts';
import { SETTLEMENTS, settleProcessing } from '../payments/settle-processing.ts';
import { beginWork } from '../work.ts';
import type { Work } from '../work.ts';
import { registerFaults } from './fault-routes.ts';

const strict = { additionalProperties: false };
const Authenticating = Type.Object({ outcome: Type.Enum([...AUTHENTICATIONS]) }, strict);
const Settling = Type.Object({ outcome: Type.Enum([...SETTLEMENTS]) }, strict);
const Disputing = Type.Object(
  {
    reason: Type.Optional(Type.Enum([...DISPUTE_REASONS])),
    amount: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
);

/** What happens outside Stripe's API: at banks, on networks. For tests and by hand; see README.md. */
export function registerControl(app: FastifyInstance, context: Context): void {
  registerFaults(app, context.faults);

  app.post(
    '/_control/payment_intents/:id/authentication',
    { schema: { body: Authenticating } },
    async (request) => {
      const { outcome } = request.body as Static<typeof Authenticating>;
      return change(request, context, 'payment_intent', (work, intent) =>
        authenticatePayment(work, intent, outcome),
      );
    },
  );

  app.post(
    '/_control/payment_intents/:id/settlement',
    { schema: { body: Settling } },
    async (request) => {
      const { outcome } = request.body as Static<typeof Settling>;
      return change(request, context, 'payment_intent', (work, intent) =>
        settleProcessing(work, intent, outcome),
      );
    },
  );

  app.post('/_control/charges/:id/dispute', { schema: { body: Disputing } }, async (request) => {
    const { reason = 'fraudulent', amount } = request.body as Static<typeof Disputing>;
    return change(request, context, 'charge', (work, charge) =>
      disputeCharge(work, charge, reason, amount ?? charge.amount - charge.amount_refunded),
    );
  });

  app.post('/_control/events/:id/delivery', async (request) => {
    const event = found(request, context, 'event');
    context.webhooks.resend(event.id);
    return event;
  });
}

type Controlled = 'payment_intent' | 'charge' | 'event';

function found<K extends Controlled>(request: FastifyRequest, { store }: Context, kind: K) {
  const { id } = request.params as { id: string };
  const thing = store.get(kind, id);
  if (thing === undefined) throw resourceMissing(kind, id, 'id');
  return thing;
}

function change<K extends Controlled>(
  request: FastifyRequest,
  context: Context,
  kind: K,
  run: (work: Work, thing: Kept[K]) => object,
): object {
  const work = beginWork(context, { requestId: request.id, idempotencyKey: null });
  const changed = run(work, found(request, context, kind));
  commitWork(context, work);
  return changed;
}
