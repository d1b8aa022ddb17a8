import { buildCardForm, cardSheet, cardState } from './card-form.js';
import { cvcLength, digitsOf, expiryOf, formatInput, problemOf } from './card-rules.js';
import { ElementEvents } from './element-events.js';
import { integrationError } from './messages.js';

const CLASSES = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
};

/** The container's class names by state; a page may choose its own. */
function elementClasses(chosen) {
  const entries = Object.entries({ ...CLASSES, ...chosen });
  return Object.fromEntries(
    entries.map(([state, text]) => [state, text.split(/\s+/).filter((word) => word !== '')]),
  );
}

const ORDER = ['number', 'expiry', 'cvc', 'postal'];

/**
 * The Card Element: one row of fields, in an open shadow root inside the mounted container. (At Stripe they are
 * in an iframe.) The page's styles do not apply to them; role and label locators and assistive technology find
 * them.
 */
export class CardElement {
  #options;
  #messages;
  #onDestroy;
  #events = new ElementEvents('card');
  #container = null;
  #host = null;
  #form = null;
  #inputs = null;
  /** Fields that have lost the focus: only then is an incomplete field an error. */
  #left = new Set();
  #lastChange = '';
  #destroyed = false;
  #focusFromLabel = (event) => {
    if (event.target instanceof HTMLLabelElement && event.target.htmlFor === this.#container?.id) {
      this.focus();
    }
  };

  constructor(options, messages, onDestroy) {
    this.#options = options ?? {};
    this.#messages = messages;
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
    this.#host = document.createElement('div');
    this.#host.className = '__PrivateStripeElement';
    container.replaceChildren(this.#host);
    this.#build(this.#host.attachShadow({ mode: 'open', delegatesFocus: true }));
    document.addEventListener('click', this.#focusFromLabel);
    this.#show();
    // As at Stripe, `ready` is emitted after mount() has returned, so that listeners can be added.
    setTimeout(() => this.#host !== null && this.#events.emit('ready', {}), 0);
  }

  unmount() {
    if (this.#container === null) return;
    document.removeEventListener('click', this.#focusFromLabel);
    this.#host.remove();
    this.#container.classList.remove(
      ...Object.values(elementClasses(this.#options.classes)).flat(),
    );
    this.#container = null;
    this.#host = null;
    this.#inputs = null;
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
    const { style, hidePostalCode, hideIcon } = this.#options;
    this.#options = { ...this.#options, ...options };
    if (this.#host === null) return;
    const now = this.#options;
    if (now.hidePostalCode !== hidePostalCode || now.hideIcon !== hideIcon) {
      this.#build(this.#host.shadowRoot);
    } else if (now.style !== style) {
      this.#host.shadowRoot.adoptedStyleSheets = [cardSheet(now.style)];
    }
    this.#show();
  }

  focus() {
    this.#inputs?.number.focus();
  }

  blur() {
    this.#host?.shadowRoot.activeElement?.blur();
  }

  clear() {
    if (this.#inputs === null) return;
    for (const input of Object.values(this.#inputs)) input.value = '';
    this.#left.clear();
    this.#changed();
  }

  /** For Stripe() only: the error of the first incomplete field, which is then marked as invalid. */
  _validate() {
    if (this.#inputs === null) {
      throw integrationError(
        'We could not retrieve data from the specified Element. Is it mounted?',
      );
    }
    for (const name of ORDER) this.#left.add(name);
    this.#show();
    return this.#state().state.error;
  }

  /** For Stripe() only: the card as parameters of the API. */
  _read() {
    const { number, expiry, cvc, postal } = this.#inputs;
    const { month, year } = expiryOf(expiry.value);
    const card = {
      number: digitsOf(number.value),
      exp_month: month,
      exp_year: year,
      cvc: cvc.value,
    };
    return { card, postalCode: postal.value };
  }

  #build(root) {
    const earlier = this.#inputs;
    root.replaceChildren();
    root.adoptedStyleSheets = [cardSheet(this.#options.style)];
    const { form, inputs } = buildCardForm(root, this.#messages, this.#options);
    this.#form = form;
    this.#inputs = inputs;
    inputs.postal.value = this.#options.value?.postalCode ?? '';
    for (const [name, input] of Object.entries(inputs)) {
      if (earlier !== null) input.value = earlier[name].value;
      input.addEventListener('input', (event) => this.#typed(name, event));
      input.addEventListener('keydown', (event) => this.#pressed(name, event));
      input.addEventListener('blur', () => this.#leave(name));
    }
    form.addEventListener('focusin', (event) => {
      if (!form.contains(event.relatedTarget)) this.#focused(true);
    });
    form.addEventListener('focusout', (event) => {
      if (!form.contains(event.relatedTarget)) this.#focused(false);
    });
  }

  #typed(name, event) {
    const input = this.#inputs[name];
    const deleting = event.inputType?.startsWith('delete') === true;
    formatInput(name, input, deleting);
    this.#inputs.cvc.maxLength = cvcLength(this.#inputs.number.value);
    this.#left.delete(name);
    const caretAtEnd = input.selectionStart === input.value.length;
    // Moves the focus on when a field is complete, but not while the user corrects it.
    if (!deleting && caretAtEnd && name !== 'postal' && problemOf(this.#inputs, name) === null) {
      const next = this.#neighbour(name, 1);
      if (next !== undefined && input.getRootNode().activeElement === input) next.focus();
    }
    this.#changed();
  }

  #pressed(name, event) {
    if (event.key === 'Backspace' && this.#inputs[name].value === '') {
      const previous = this.#neighbour(name, -1);
      if (previous === undefined) return;
      event.preventDefault();
      previous.focus();
    }
    if (event.key === 'Escape') this.#events.emit('escape', {});
    // Because of the shadow root, the browser does not treat the fields as part of the form.
    if (event.key === 'Enter') this.#container?.closest('form')?.requestSubmit();
  }

  #leave(name) {
    if (this.#inputs === null || this.#inputs[name].value === '') return;
    this.#left.add(name);
    this.#changed();
  }

  #focused(inside) {
    if (this.#container === null) return;
    const { focus } = elementClasses(this.#options.classes);
    for (const word of focus) this.#container.classList.toggle(word, inside);
    this.#events.emit(inside ? 'focus' : 'blur', {});
  }

  #changed() {
    this.#show();
    const { state } = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#lastChange) return;
    this.#lastChange = text;
    this.#events.emit('change', state);
  }

  #names() {
    return this.#options.hidePostalCode ? ORDER.slice(0, 3) : ORDER;
  }

  #neighbour(name, step) {
    const names = this.#names();
    return this.#inputs[names[names.indexOf(name) + step]];
  }

  #state() {
    return cardState(this.#inputs, this.#names(), this.#left, this.#messages);
  }

  #show() {
    const { state, wrong } = this.#state();
    const { classList: list } = this.#container;
    const classes = elementClasses(this.#options.classes);
    list.add(...classes.base);
    const { complete, empty, error } = state;
    const states = { complete, empty, invalid: error !== undefined };
    for (const [name, isOn] of Object.entries(states)) {
      this.#form.classList.toggle(name, isOn);
      for (const word of classes[name]) list.toggle(word, isOn);
    }
    for (const [name, input] of Object.entries(this.#inputs)) {
      input.disabled = this.#options.disabled === true;
      input.setAttribute('aria-invalid', String(wrong.includes(name)));
    }
  }
}
