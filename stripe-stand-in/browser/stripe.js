import { CardElement } from './card-element.js';
import { integrationError, messagesFor } from './messages.js';
import { callApi, handleNextAction } from './next-actions.js';

/** The release that @stripe/stripe-js 10 expects; it warns about any other. */
const RELEASE = 'endive';

/** Defines `window.Stripe`, calling the stand-in at `api`. */
export function defineStripe(window, api) {
  function Stripe(key, options = {}) {
    checkKey(key);
    // Form and errors have the same language; a page may set the locale on either.
    let messages = messagesFor(options.locale);
    const call = (...request) => callApi(api, key, messages, ...request);

    const retrieve = (id, clientSecret) =>
      call('GET', `/v1/payment_intents/${id}`, { client_secret: clientSecret });
    const act = (paymentIntent) => handleNextAction(api, messages, retrieve, paymentIntent);

    /** Resolves to `{ paymentIntent }` or `{ error }`. */
    async function actOn(clientSecret) {
      const id = intentId(clientSecret);
      if (id === null) return { error: secretError(clientSecret) };
      const { value, error } = await retrieve(id, clientSecret);
      if (error !== undefined) return { error };
      return value.status === 'requires_action'
        ? named('paymentIntent', await act(value))
        : { error: noActionError(value) };
    }

    return {
      elements(group = {}) {
        messages = messagesFor(group.locale ?? options.locale);
        return elementsGroup(messages);
      },

      /** Resolves to `{ paymentIntent }` or `{ error }`. */
      async confirmCardPayment(clientSecret, data = {}, { handleActions = true } = {}) {
        const id = intentId(clientSecret);
        if (id === null) return { error: secretError(clientSecret) };
        const method = readMethod(data.payment_method);
        if (method.error) return method;
        const confirmed = await call('POST', `/v1/payment_intents/${id}/confirm`, {
          ...method,
          receipt_email: data.receipt_email,
          return_url: data.return_url,
          expected_payment_method_type: 'card',
          use_stripe_sdk: true,
          client_secret: clientSecret,
        });
        const waits = confirmed.value?.status === 'requires_action' && handleActions;
        return named('paymentIntent', waits ? await act(confirmed.value) : confirmed);
      },

      handleCardAction: (clientSecret) => actOn(clientSecret),
      handleNextAction: ({ clientSecret }) => actOn(clientSecret),

      async retrievePaymentIntent(clientSecret) {
        const id = intentId(clientSecret);
        if (id === null) return { error: secretError(clientSecret) };
        return named('paymentIntent', await retrieve(id, clientSecret));
      },

      async createPaymentMethod(data) {
        const method = readMethod(data);
        if (method.error) return method;
        const params = method.payment_method_data;
        return named('paymentMethod', await call('POST', '/v1/payment_methods', params));
      },

      async createToken(element) {
        const method = readMethod({ card: element });
        if (method.error) return method;
        const { card } = method.payment_method_data;
        return named('token', await call('POST', '/v1/tokens', { card }));
      },

      registerAppInfo() {},
      _registerWrapper() {},
    };
  }

  Stripe.version = RELEASE;
  window.Stripe = Stripe;
}

function elementsGroup(messages) {
  let card = null;
  return {
    create(type, options) {
      if (type !== 'card') {
        throw integrationError(`The stand-in has no Element of type ${type}, only card.`);
      }
      if (card !== null) {
        throw integrationError('Can only create one Element of type card through create().');
      }
      card = new CardElement(options, messages, () => {
        card = null;
      });
      return card;
    },
    /** `type` is the Element's type, or the React component, which has the type as a property. */
    getElement(type) {
      return (type?.__elementType ?? type) === 'card' ? card : null;
    },
    update() {},
    fetchUpdates: async () => ({}),
  };
}

/** The API parameters of a payment method: an id, or the data of a Card Element or a token. */
function readMethod(method) {
  if (method === undefined || method === null || typeof method === 'string')
    return { payment_method: method };
  const { card, billing_details: billing = {} } = method;
  if (card === null || card === undefined) {
    const message = 'Invalid value for card: value should be an Element or a token.';
    return { error: { type: 'invalid_request_error', message } };
  }
  if (!(card instanceof CardElement)) {
    return { payment_method_data: { type: 'card', card, billing_details: billing } };
  }
  const error = card._validate();
  if (error !== undefined) return { error };
  const { card: data, postalCode } = card._read();
  const address = { postal_code: postalCode, ...billing.address };
  return {
    payment_method_data: { type: 'card', card: data, billing_details: { ...billing, address } },
  };
}

function named(name, { value, error }) {
  return error === undefined ? { [name]: value } : { error };
}

function intentId(clientSecret) {
  return /^(pi_\w+?)_secret_\w+$/.exec(String(clientSecret))?.[1] ?? null;
}

function secretError(clientSecret) {
  const message =
    'Invalid value for intent secret: value should be a client secret of the form ' +
    `\${id}_secret_\${secret}. You specified: ${clientSecret}.`;
  return { type: 'invalid_request_error', message };
}

function noActionError(paymentIntent) {
  return {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: 'The PaymentIntent supplied is not in the requires_action state.',
    payment_intent: paymentIntent,
  };
}

function checkKey(key) {
  if (String(key).startsWith('sk_')) {
    throw integrationError('You should not use your secret key with Stripe.js.');
  }
  if (!/^pk_test_\w+$/.test(key)) {
    throw integrationError('Please call Stripe() with your publishable key.');
  }
}
