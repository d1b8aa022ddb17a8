import { appearanceSheet } from './appearance.js';
import { cvcLength, digitsOf, expiryOf, formatInput, problemOf } from './card-rules.js';
import { ElementEvents } from './element-events.js';
import { integrationError } from './messages.js';
import { buildPaymentForm, showFieldError, showSkeleton } from './payment-form.js';

const CARD = ['number', 'expiry', 'cvc'];

/** Payments that need no payment method any more: Stripe refuses to show a form for them. */
const CLOSED = new Set(['succeeded', 'processing', 'canceled', 'requires_capture']);

/**
 * The Payment Element, in an open shadow root inside the mounted container. (At Stripe it is in an iframe.)
 * The page's styles do not apply to it; role and label locators and assistive technology find its fields.
 */
export class PaymentElement {
  #options;
  #messages;
  #load;
  #appearance;
  #onDestroy;
  #events = new ElementEvents('payment');
  #container = null;
  #host = null;
  #form = null;
  #inputs = {};
  #radios = {};
  #chosen = null;
  #choose = null;
  /** Fields that have lost the focus: only then is an incomplete field an error. */
  #left = new Set();
  #lastChange = '';
  #destroyed = false;

  /** `load` resolves to `{ value }`, the PaymentIntent, or `{ error }`. */
  constructor(options, { messages, appearance, load, onDestroy }) {
    this.#options = options ?? {};
    checkAddress(this.#options);
    this.#messages = messages;
    this.#appearance = appearance;
    this.#load = load;
    this.#onDestroy = onDestroy;
  }

  on(type, handler) {
    this.#events.on(type, handler);
    return this;
  }

  once(type, handler) {
    this.#events.once(type, handler);
    return this;
  }

  off(type, handler) {
    this.#events.off(type, handler);
    return this;
  }

  mount(target) {
    if (this.#destroyed) throw integrationError('This Element has been destroyed.');
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (container === null || container === undefined) {
      throw integrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    }
    if (this.#container !== null) this.unmount();
    this.#container = container;
    this.#container.classList.add('StripeElement');
    this.#host = document.createElement('div');
    this.#host.className = '__PrivateStripeElement';
    container.replaceChildren(this.#host);
    const root = this.#host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [appearanceSheet(this.#appearance)];
    showSkeleton(root);
    void this.#start(this.#host);
  }

  unmount() {
    if (this.#container === null) return;
    this.#host.remove();
    this.#container.classList.remove('StripeElement');
    this.#container = null;
    this.#host = null;
    this.#form = null;
    this.#left.clear();
    this.#lastChange = '';
  }

  destroy() {
    this.unmount();
    this.#destroyed = true;
    this.#events.clear();
    this.#onDestroy();
  }

  update(options) {
    this.#options = { ...this.#options, ...options };
    checkAddress(this.#options);
    if (this.#form !== null) this.#show();
  }

  focus() {
    this.#host?.shadowRoot.querySelector('input')?.focus();
  }

  blur() {
    this.#host?.shadowRoot.activeElement?.blur();
  }

  collapse() {}

  /** For the group only. */
  _setAppearance(appearance) {
    this.#appearance = appearance;
    if (this.#host !== null) {
      this.#host.shadowRoot.adoptedStyleSheets = [appearanceSheet(appearance)];
    }
  }

  /** For the group only: the error of the first incomplete field; every wrong field then shows its own. */
  _validate() {
    if (this.#form === null) {
      throw integrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you ' +
          'are attempting to use is still mounted and is ready.',
      );
    }
    for (const name of CARD) this.#left.add(name);
    this.#show();
    return this.#state().error;
  }

  /** For the group only: the payment method as parameters of the API. */
  _read(billing = {}) {
    requireHiddenDetails(this.#options, billing);
    if (this.#chosen !== 'card') return { type: this.#chosen, billing_details: billing };
    const { number, expiry, cvc } = this.#inputs;
    const { month, year } = expiryOf(expiry.value);
    const card = {
      number: digitsOf(number.value),
      exp_month: month,
      exp_year: year,
      cvc: cvc.value,
    };
    return { type: 'card', card, billing_details: billing };
  }

  get _chosen() {
    return this.#chosen;
  }

  async #start(host) {
    // As at Stripe, events are emitted after mount() has returned, so that listeners can be added.
    await Promise.resolve();
    this.#events.emit('loaderstart', {});
    const { value, error } = await this.#load();
    // Unmounted, or mounted again, meanwhile.
    if (this.#host !== host) return;
    const problem = error ?? closedError(value);
    if (problem !== undefined) {
      host.shadowRoot.replaceChildren();
      this.#events.emit('loaderror', { error: problem });
      return;
    }
    this.#build(host.shadowRoot, this.#ordered(value.payment_method_types));
    this.#events.emit('ready', {});
    this.#changed();
  }

  #ordered(types) {
    const order = this.#options.paymentMethodOrder ?? [];
    const rank = (type) => (order.includes(type) ? order.indexOf(type) : order.length);
    return types.toSorted((one, other) => rank(one) - rank(other));
  }

  #build(root, types) {
    const { form, inputs, radios, choose } = buildPaymentForm(root, types, this.#messages);
    this.#form = form;
    this.#inputs = inputs;
    this.#radios = radios;
    this.#choose = choose;
    for (const [name, input] of Object.entries(inputs)) {
      input.addEventListener('input', (event) => this.#typed(name, event));
      input.addEventListener('keydown', (event) => this.#pressed(name, event));
      input.addEventListener('blur', () => this.#leave(name));
    }
    for (const [type, radio] of Object.entries(radios)) {
      radio.addEventListener('change', () => this.#select(type));
      radio.addEventListener('keydown', (event) => this.#submitOnEnter(event));
    }
    form.addEventListener('focusin', (event) => {
      if (!form.contains(event.relatedTarget)) this.#events.emit('focus', {});
    });
    form.addEventListener('focusout', (event) => {
      if (!form.contains(event.relatedTarget)) this.#events.emit('blur', {});
    });
    this.#chosen = types[0];
    choose(types[0]);
    this.#show();
  }

  #select(type) {
    this.#chosen = type;
    this.#choose(type);
    this.#changed();
  }

  #typed(name, event) {
    const input = this.#inputs[name];
    const deleting = event.inputType?.startsWith('delete') === true;
    formatInput(name, input, deleting);
    this.#inputs.cvc.maxLength = cvcLength(this.#inputs.number.value);
    this.#left.delete(name);
    const caretAtEnd = input.selectionStart === input.value.length;
    // Moves the focus on when a field is complete, but not while the user corrects it.
    if (!deleting && caretAtEnd && problemOf(this.#inputs, name) === null) {
      const next = this.#inputs[CARD[CARD.indexOf(name) + 1]];
      if (next !== undefined && input.getRootNode().activeElement === input) next.focus();
    }
    this.#changed();
  }

  #pressed(name, event) {
    if (event.key === 'Backspace' && this.#inputs[name].value === '') {
      const previous = this.#inputs[CARD[CARD.indexOf(name) - 1]];
      if (previous === undefined) return;
      event.preventDefault();
      previous.focus();
    }
    if (event.key === 'Escape') this.#events.emit('escape', {});
    this.#submitOnEnter(event);
  }

  /** Because of the shadow root, the browser does not treat the fields as part of the form. */
  #submitOnEnter(event) {
    if (event.key === 'Enter') this.#container?.closest('form')?.requestSubmit();
  }

  #leave(name) {
    if (this.#form === null || this.#inputs[name].value === '') return;
    this.#left.add(name);
    this.#changed();
  }

  #changed() {
    this.#show();
    const { complete, empty } = this.#state();
    const state = { complete, empty, collapsed: false, value: { type: this.#chosen } };
    const text = JSON.stringify(state);
    if (text === this.#lastChange) return;
    this.#lastChange = text;
    this.#events.emit('change', state);
  }

  /** Whether the chosen method is complete and empty, and its errors by field, the first one as `error`. */
  #state() {
    if (this.#chosen !== 'card') return { complete: true, empty: false, errors: {} };
    const errors = {};
    let complete = true;
    for (const name of CARD) {
      const code = problemOf(this.#inputs, name);
      if (code === null) continue;
      complete = false;
      if (!this.#left.has(name) && code.startsWith('incomplete')) continue;
      errors[name] = { type: 'validation_error', code, message: this.#messages.errors[code] };
    }
    const empty = CARD.every((name) => this.#inputs[name].value === '');
    return { complete, empty, errors, error: Object.values(errors)[0] };
  }

  #show() {
    const { errors } = this.#state();
    for (const [name, input] of Object.entries(this.#inputs)) {
      showFieldError(input, errors[name]?.message);
      input.disabled = this.#options.readOnly === true;
    }
    for (const radio of Object.values(this.#radios)) {
      radio.disabled = this.#options.readOnly === true;
    }
  }
}

function closedError(paymentIntent) {
  if (!CLOSED.has(paymentIntent.status)) return undefined;
  return {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message:
      `The PaymentIntent is in the ${paymentIntent.status} state and cannot be used to initialize ` +
      'Elements.',
    payment_intent: paymentIntent,
  };
}

const ADDRESS = { country: 'country', postal_code: 'postalCode' };

/** The stand-in has no fields for an address, which Stripe shows with a card unless told not to. */
function checkAddress({ fields }) {
  const details = fields?.billingDetails;
  const address = details === 'never' ? details : details?.address;
  const isHidden =
    address === 'never' ||
    address === 'if_required' ||
    Object.values(ADDRESS).every((name) => address?.[name] === 'never');
  if (isHidden) return;
  throw integrationError(
    'The stand-in collects no address: set fields.billingDetails.address, or its country and ' +
      'postalCode, to never.',
  );
}

const DETAILS = ['name', 'email', 'phone'];
const WHOLE_ADDRESS = { line1: 'line1', line2: 'line2', city: 'city', state: 'state', ...ADDRESS };

/** What the page hides, it must pass when it confirms. A null counts as passed. */
function requireHiddenDetails({ fields }, billing) {
  const details = fields?.billingDetails;
  const hidden = (name, option) => option === 'never' || option?.[name] === 'never';
  for (const name of DETAILS) {
    if (hidden(name, details) && billing[name] === undefined) throw notPassed(name);
  }
  const address = details === 'never' ? 'never' : details?.address;
  for (const [name, option] of Object.entries(WHOLE_ADDRESS)) {
    if (hidden(option, address) && billing.address?.[name] === undefined) {
      throw notPassed(`address.${name}`);
    }
  }
}

function notPassed(name) {
  return integrationError(
    `You specified "never" for fields.billing_details.${name} when creating the payment Element, ` +
      `but did not pass confirmParams.payment_method_data.billing_details.${name} when calling ` +
      'stripe.confirmPayment(). If you opt out of collecting data via the payment Element using ' +
      'the fields option, the data must be passed in when calling stripe.confirmPayment().',
  );
}
