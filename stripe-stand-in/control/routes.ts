import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { beginWork, commitWork, type Context, type Work } from '../work.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import type { Kept } from '../store.ts';
import { authenticatePayment, AUTHENTICATIONS } from '../payments/three-d-secure.ts';
import { disputeCharge } from '../payments/disputes.ts';
import { DISPUTE_REASONS } from '../payments/test-cards.ts';
import { SETTLEMENTS, settleProcessing } from '../payments/confirm-intent.ts';
import { FaultOrder, type Faults } from './faults.ts';

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

/** The control API: events outside Stripe's API, at banks and on networks. See README.md. */
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
    const event = findObject(request, context, 'event');
    context.webhooks.resend(event.id);
    return event;
  });
}

type Controlled = 'payment_intent' | 'charge' | 'event';

function findObject<K extends Controlled>(request: FastifyRequest, { store }: Context, kind: K) {
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
  const changed = run(work, findObject(request, context, kind));
  commitWork(context, work);
  return changed;
}

/** `/_control/faults`: injects faults, counts their hits, removes them. */
function registerFaults(app: FastifyInstance, faults: Faults): void {
  app.post('/_control/faults', { schema: { body: FaultOrder } }, async (request) => {
    const order = request.body as FaultOrder;
    if ('call' in order) refuseUnknownCall(app, order.call);
    return faults.add(order);
  });

  app.get('/_control/faults', async () => ({ data: faults.list() }));

  app.get('/_control/faults/:id', async (request) => find(faults, request.params));

  app.delete('/_control/faults', async () => {
    const data = faults.list();
    faults.remove();
    return { data };
  });

  app.delete('/_control/faults/:id', async (request) => {
    const fault = find(faults, request.params);
    faults.remove(fault.id);
    return fault;
  });
}

function find(faults: Faults, params: unknown) {
  const { id } = params as { id: string };
  const fault = faults.list().find((it) => it.id === id);
  if (fault === undefined) throw resourceMissing('fault', id, 'id');
  return fault;
}

/** Rejects a fault for a misspelt call: it would never apply, and its test would prove nothing. */
function refuseUnknownCall(app: FastifyInstance, call: string): void {
  if (call.endsWith('*')) return;
  const [method = '', url = ''] = call.split(' ', 2);
  const isKnown = (method === 'GET' || method === 'POST') && app.hasRoute({ method, url });
  if (!isKnown) throw invalidRequest(`No such call: ${call}`, 'parameter_unknown', 'call');
}
