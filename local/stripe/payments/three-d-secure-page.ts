import type { FastifyInstance, FastifyRequest } from 'fastify';

import { commitWork } from '../commit-work.ts';
import type { Context } from '../context.ts';
import { invalidRequest } from '../errors.ts';
import { readText } from '../params.ts';
import type { Params } from '../params.ts';
import { beginWork } from '../work.ts';
import { AUTHENTICATIONS, authenticatePayment } from './authenticate-payment.ts';
import { findIntent } from './find-intent.ts';

/**
 * The bank's page that `next_action.redirect_to_url` leads to: it asks, then leads back to the
 * `return_url` as Stripe does, with the intent, its client secret and `redirect_status`.
 */
export function registerThreeDSecurePage(app: FastifyInstance, context: Context): void {
  app.get('/three-d-secure/:id', async (request, reply) => {
    waitingIntent(request, context);
    void reply.type('text/html; charset=utf-8');
    return PAGE;
  });

  app.post('/three-d-secure/:id', async (request, reply) => {
    const { intent, returnUrl } = waitingIntent(request, context);
    const answer = readText((request.body ?? {}) as Params, 'outcome');
    const authentication = AUTHENTICATIONS.find((it) => it === answer) ?? 'fail';
    const work = beginWork(context, { requestId: request.id, idempotencyKey: null });
    const { status } = authenticatePayment(work, intent, authentication);
    commitWork(context, work);
    const back = new URL(returnUrl);
    back.searchParams.set('payment_intent', intent.id);
    back.searchParams.set('payment_intent_client_secret', String(intent.client_secret));
    const isFailed = status === 'requires_payment_method';
    back.searchParams.set('redirect_status', isFailed ? 'failed' : 'succeeded');
    return reply.redirect(back.href, 303);
  });
}

function waitingIntent(request: FastifyRequest, { store }: Context) {
  const { id } = request.params as { id: string };
  const params = request.query as Params;
  const call = { keyKind: 'publishable' as const, id, params };
  const intent = findIntent(call, store);
  const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? null;
  if (returnUrl !== null) return { intent, returnUrl };
  throw invalidRequest(`This PaymentIntent (${id}) does not wait for anybody on this page.`);
}

const PAGE = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>3D Secure, local test bank</title>
<h1>3D Secure, local test bank</h1>
<form method="post">
<button name="outcome" value="complete" id="test-source-authorize-3ds">Complete authentication</button>
<button name="outcome" value="fail" id="test-source-fail-3ds">Fail authentication</button>
</form>
</html>
`;
