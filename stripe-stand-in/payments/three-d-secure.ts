import type Stripe from 'stripe';
import { invalidRequest, unexpectedState } from '../errors.ts';
import { beginWork, commitWork, type Context, type Work } from '../work.ts';
import { chargeCard, failPayment } from './confirm-intent.ts';
import { attachedMethod, findIntent } from './intent.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Params, readText } from '../params.ts';

/** The customer's choice at the bank. */
export const AUTHENTICATIONS = ['complete', 'fail'] as const;
export type Authentication = (typeof AUTHENTICATIONS)[number];

/**
 * Completes 3D Secure or a redirect: charges the payment method, or lets the intent require another one.
 * @throws StripeProblem 400 when the intent does not wait for it
 */
export function authenticatePayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  authentication: Authentication,
): Stripe.PaymentIntent {
  if (intent.status !== 'requires_action') {
    throw unexpectedState(
      `This PaymentIntent has a status of ${intent.status} and waits for no authentication.`,
      intent,
    );
  }
  const method = attachedMethod(work, intent);
  if (authentication === 'complete') {
    return chargeCard(work, { ...intent, next_action: null }, method, true);
  }
  if (method.redirects === true) {
    return failPayment(work, intent, method, {
      type: 'invalid_request_error',
      code: 'payment_method_customer_decline',
      message: 'The customer did not approve the payment.',
    });
  }
  return failPayment(work, intent, method, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data ' +
      'or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  });
}

/**
 * Serves the bank's page for `next_action.redirect_to_url`. After the customer's choice it redirects to the
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
  throw invalidRequest(`This PaymentIntent (${id}) does not wait for authentication on this page.`);
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
