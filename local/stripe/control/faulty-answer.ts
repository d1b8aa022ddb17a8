import type { Endpoint, Incoming } from '../calls.ts';
import type { Context } from '../context.ts';
import { errorBody } from '../errors.ts';
import type { ErrorFields } from '../errors.ts';
import { execute } from '../execute.ts';
import type { Answer } from '../execute.ts';
import type { CallFaultOrder } from './fault-orders.ts';
import type { Hit } from './faults.ts';

/**
 * What a call that a fault has hit is answered; null when its connection is to be dropped. A call
 * that is held before it runs is run once it is let go, also when nobody waits for it any more.
 */
export async function answerFaulty(
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  { order, released }: Hit<CallFaultOrder>,
): Promise<Answer | null> {
  if (order.kind === 'error') {
    return execute(context, endpoint, incoming, {
      ...errorOf(incoming, order.status ?? 500),
      runs: order.when === 'after',
      stored: order.stored === true,
    });
  }
  if (order.kind === 'hang') {
    return hang(context, endpoint, incoming, order.when ?? 'before', released);
  }
  if (order.when !== 'before') execute(context, endpoint, incoming);
  return null;
}

async function hang(
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  when: 'before' | 'after',
  released: Promise<void>,
): Promise<Answer> {
  if (when === 'before') {
    await holdingKey(context, incoming.key, released);
    return execute(context, endpoint, incoming);
  }
  const answer = execute(context, endpoint, incoming);
  await released;
  return answer;
}

async function holdingKey(
  { keysInUse }: Context,
  key: string | null,
  released: Promise<void>,
): Promise<void> {
  if (key === null) return released;
  keysInUse.add(key);
  await released;
  keysInUse.delete(key);
  return undefined;
}

function errorOf({ requestId }: Incoming, status: number): Answer {
  return { status, body: errorBody(fieldsOf(status, requestId), requestId) };
}

function fieldsOf(status: number, requestId: string): ErrorFields {
  if (status === 429) {
    const message = 'Request rate limit exceeded.';
    return { type: 'invalid_request_error', code: 'rate_limit', message };
  }
  return { type: 'api_error', message: `An unknown error occurred (${requestId})` };
}
