import type { FastifyInstance } from 'fastify';

import { invalidRequest, resourceMissing } from '../errors.ts';
import { FaultOrder } from './fault-orders.ts';
import type { Faults } from './faults.ts';

/** `/_control/faults`: order faults, count what they hit, take them away. */
export function registerFaults(app: FastifyInstance, faults: Faults): void {
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

/** A fault for a misspelt call would never hit, and its test would prove nothing. */
function refuseUnknownCall(app: FastifyInstance, call: string): void {
  if (call.endsWith('*')) return;
  const [method = '', url = ''] = call.split(' ', 2);
  const isKnown = (method === 'GET' || method === 'POST') && app.hasRoute({ method, url });
  if (!isKnown) throw invalidRequest(`No such call: ${call}`, 'parameter_unknown', 'call');
}
