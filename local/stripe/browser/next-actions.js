import { askCustomer } from './challenge-dialog.js';
import { localized } from './messages.js';

/**
 * Lets the customer do what the intent waits for, and reads what came of it: `{ value }`, or
 * `{ error }` when the intent wants another payment method.
 */
export async function handleNextAction(api, messages, retrieve, paymentIntent) {
  const { id, client_secret: clientSecret, next_action: action } = paymentIntent;
  if (action.type === 'redirect_to_url') {
    window.location.assign(action.redirect_to_url.url);
    // The page is about to go.
    return new Promise(() => {});
  }
  const outcome = await askCustomer(messages, paymentIntent);
  try {
    // What the bank says to this does not matter: somebody may have been faster.
    await fetch(`${api}/_control/payment_intents/${id}/authentication`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
  } catch {
    const message = messages.errors.api_connection_error;
    return { error: { type: 'api_connection_error', message } };
  }
  const { value, error } = await retrieve(id, clientSecret);
  if (error !== undefined || value.status !== 'requires_payment_method') return { value, error };
  return { error: localized({ ...value.last_payment_error, payment_intent: value }, messages) };
}
