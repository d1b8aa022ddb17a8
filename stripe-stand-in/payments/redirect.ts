import type { FastifyInstance, FastifyRequest } from 'fastify';
import { resourceMissing } from '../errors.ts';
import { type Params, readText } from '../params.ts';
import { beginWork, commitWork, type Context } from '../work.ts';
import { authenticatePayment } from './three-d-secure.ts';

/**
 * Serves the page of a redirecting method (Vipps): the customer accepts or refuses, or closes it. Opened again, or after
 * the payment went another way, it only leads back. As at Stripe, the way back is the `return_url` with the intent, its client
 * secret and `redirect_status`.
 */
export function registerRedirectPage(app: FastifyInstance, context: Context): void {
  app.get('/redirect/:id', async (request, reply) => {
    const { intent, isOpen } = visit(request, context);
    const amount = new Intl.NumberFormat('nb', {
      style: 'currency',
      currency: intent.currency,
    }).format(intent.amount / 100);
    void reply.type('text/html; charset=utf-8');
    return isOpen ? page(`Betal ${amount}`, CHOICES) : page('Betalingen er avgjort', BACK);
  });

  app.post('/redirect/:id', async (request, reply) => {
    const { intent, isOpen, returnUrl } = visit(request, context);
    const answer = readText((request.body ?? {}) as Params, 'outcome');
    let { status } = intent;
    if (isOpen && (answer === 'complete' || answer === 'fail')) {
      const work = beginWork(context, { requestId: request.id, idempotencyKey: null });
      ({ status } = authenticatePayment(work, intent, answer));
      commitWork(context, work);
    }
    const back = new URL(returnUrl);
    back.searchParams.set('payment_intent', intent.id);
    back.searchParams.set('payment_intent_client_secret', String(intent.client_secret));
    const isFailed = status === 'requires_payment_method' || status === 'canceled';
    back.searchParams.set('redirect_status', isFailed ? 'failed' : 'succeeded');
    return reply.redirect(back.href, 303);
  });
}

function visit(request: FastifyRequest, { store }: Context) {
  const { id } = request.params as { id: string };
  const redirect = store.get('redirect', id);
  const intent = redirect && store.get('payment_intent', redirect.payment_intent);
  if (redirect === undefined || intent === undefined) throw resourceMissing('redirect', id, 'id');
  // The page of an earlier attempt decides nothing any more.
  const isCurrent = intent.next_action?.redirect_to_url?.url?.endsWith(`/${id}`) === true;
  const isOpen = isCurrent && intent.status === 'requires_action';
  return { intent, isOpen, returnUrl: redirect.return_url };
}

const CHOICES = `<button name="outcome" value="complete" id="redirect-accept">Betal</button>
<button name="outcome" value="fail" id="redirect-refuse">Avbryt</button>`;
const BACK = '<button name="outcome" value="back" id="redirect-back">Tilbake til butikken</button>';

const page = (title: string, buttons: string) => `<!doctype html>
<html lang="nb">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Vipps, lokal test</title>
<h1>Vipps, lokal test</h1>
<p>${title}</p>
<form method="post">
${buttons}
</form>
</html>
`;
