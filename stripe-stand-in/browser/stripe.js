import { ElementEvents } from './element-events.js';
import { integrationError, messagesFor } from './messages.js';
import { callApi, handleNextAction, leave } from './next-actions.js';
import { PaymentElement } from './payment-element.js';
import { WalletButtons } from './wallet-buttons.js';

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
        const { clientSecret } = group;
        const id = clientSecret === undefined ? null : intentId(clientSecret);
        if (clientSecret !== undefined && id === null) {
          throw integrationError(secretError(clientSecret).message);
        }
        const load =
          clientSecret === undefined ? deferred(group) : () => retrieve(id, clientSecret);
        return elementsGroup(group, messages, load);
      },

      /**
       * Resolves to `{ paymentIntent }` or `{ error }`. Without `redirect: 'if_required'` it leaves for the
       * `return_url` after every successful confirmation.
       */
      async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = 'always' }) {
        const { return_url: returnUrl, payment_method_data: data = {} } = confirmParams;
        if (redirect === 'always' && returnUrl === undefined) throw returnUrlMissing();
        const secret = clientSecret ?? elements?._clientSecret;
        const id = intentId(secret);
        if (id === null) return { error: secretError(secret) };
        if (elements?._deferred) {
          const error = mismatch(elements._deferred, await retrieve(id, secret));
          if (error !== undefined) return { error };
        }
        const method = elements
          ? await elements._method(data)
          : { payment_method: confirmParams.payment_method };
        if (method.error) return method;
        const confirmed = await call('POST', `/v1/payment_intents/${id}/confirm`, {
          ...method,
          return_url: returnUrl,
          use_stripe_sdk: true,
          client_secret: secret,
        });
        const waits = confirmed.value?.status === 'requires_action';
        const outcome = waits ? await act(confirmed.value) : confirmed;
        if (redirect === 'always' && outcome.error === undefined) {
          return leave(resultUrl(returnUrl, outcome.value));
        }
        return named('paymentIntent', outcome);
      },

      /** Resolves to `{ paymentIntent }` or `{ error }`. */
      async confirmCardPayment(clientSecret, data = {}, { handleActions = true } = {}) {
        const id = intentId(clientSecret);
        if (id === null) return { error: secretError(clientSecret) };
        const confirmed = await call('POST', `/v1/payment_intents/${id}/confirm`, {
          ...readMethod(data.payment_method),
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

      /** `data` has `elements`, and `params` with more billing details; or the data of a card. */
      async createPaymentMethod(data) {
        const method = data.elements
          ? await data.elements._method(data.params ?? {})
          : readMethod(data);
        if (method.error) return method;
        const params = method.payment_method_data;
        return named('paymentMethod', await call('POST', '/v1/payment_methods', params));
      },

      /** The React components expect it. Stripe's takes other Elements than the Payment Element. */
      async createToken() {
        throw integrationError('The stand-in makes no tokens from an Element.');
      },

      registerAppInfo() {},
      _registerWrapper() {},
    };
  }

  Stripe.version = RELEASE;
  window.Stripe = Stripe;
}

const KINDS = { payment: PaymentElement, expressCheckout: WalletButtons };

/** `load` retrieves the PaymentIntent of the group's client secret, or what the page says of a deferred one. */
function elementsGroup({ clientSecret, appearance, mode, amount, currency }, messages, load) {
  const mounted = {};
  const listeners = new ElementEvents();
  let loaded;
  let isSubmitted = false;

  /** The Element whose payment method is used: the wallet that was confirmed, otherwise the form. */
  function used() {
    const { payment, expressCheckout } = mounted;
    const element = expressCheckout?._chosen === undefined ? payment : expressCheckout;
    if (element !== undefined) return element;
    throw integrationError(
      'Invalid value for stripe.confirmPayment(): elements should have a mounted Payment Element or ' +
        'Express Checkout Element.',
    );
  }

  return {
    create(type, options) {
      if (!Object.hasOwn(KINDS, type)) {
        throw integrationError(
          `The stand-in has no Element of type ${type}, only payment and expressCheckout.`,
        );
      }
      if (mounted[type] !== undefined) {
        throw integrationError(`Can only create one Element of type ${type} through create().`);
      }
      loaded ??= load();
      const onDestroy = () => {
        delete mounted[type];
      };
      const context = { messages, appearance, load: () => loaded, onDestroy };
      mounted[type] = new KINDS[type](options, context);
      return mounted[type];
    },
    /** `type` is the Element's type, or the React component, which has the type as a property. */
    getElement: (type) => mounted[type?.__elementType ?? type] ?? null,
    on: (type, handler) => listeners.on(type, handler),
    async update(options) {
      appearance = options.appearance ?? appearance;
      for (const element of Object.values(mounted)) element._setAppearance(appearance);
      listeners.emit('update-end', {});
    },
    fetchUpdates: async () => ({}),
    async submit() {
      const element = used();
      const error = element._validate();
      isSubmitted = error === undefined;
      return error === undefined ? { selectedPaymentMethod: element._chosen } : { error };
    },

    _clientSecret: clientSecret,
    /** What the page said of a payment that it starts later. */
    _deferred: clientSecret === undefined ? { mode, amount, currency } : null,
    /** The API parameters of the chosen payment method, or `{ error }`. */
    async _method({ billing_details: billing }) {
      if (clientSecret === undefined && !isSubmitted) {
        throw integrationError(
          'elements.submit() must be called before stripe.confirmPayment(). Call elements.submit() as ' +
            'soon as your customer presses pay, prior to any asynchronous work.',
        );
      }
      const element = used();
      const error = element._validate();
      if (error !== undefined) return { error };
      return { payment_method_data: element._read(billing) };
    },
  };
}

/** A group without a PaymentIntent: the page says what it will be. */
function deferred({ mode, amount, currency, paymentMethodTypes: types = ['card'] }) {
  if (mode !== 'payment' || !Number.isInteger(amount) || typeof currency !== 'string') {
    throw integrationError(
      'stripe.elements(): pass a clientSecret, or mode payment with amount and currency.',
    );
  }
  const status = 'requires_payment_method';
  return async () => ({ value: { amount, currency, payment_method_types: types, status } });
}

/** The error for a PaymentIntent that is not what the deferred group was made for. */
function mismatch({ amount, currency }, { value, error }) {
  if (error !== undefined) return error;
  if (value.amount === amount && value.currency === currency) return undefined;
  const message =
    'The amount or currency of the PaymentIntent does not match what was passed to stripe.elements().';
  return { type: 'invalid_request_error', code: 'payment_intent_invalid_parameter', message };
}

/** The API parameters of a payment method: an id, or its data. */
function readMethod(method) {
  if (method === undefined || method === null || typeof method === 'string') {
    return { payment_method: method };
  }
  const { card, billing_details: billing = {} } = method;
  return { payment_method_data: { type: 'card', card, billing_details: billing } };
}

function named(name, { value, error }) {
  return error === undefined ? { [name]: value } : { error };
}

/** The address to which a customer returns: `return_url`, with the payment and its outcome. */
function resultUrl(returnUrl, { id, client_secret: clientSecret }) {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', id);
  url.searchParams.set('payment_intent_client_secret', clientSecret);
  url.searchParams.set('redirect_status', 'succeeded');
  return url.href;
}

function returnUrlMissing() {
  return integrationError(
    "stripe.confirmPayment(): confirmParams.return_url is required, unless redirect is 'if_required'.",
  );
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
