import { ElementEvents } from './element-events.js';
import { integrationError } from './messages.js';

/** The wallets that this browser has, by a name in its local storage: a real device decides. */
const STORED = 'stripe-stand-in-wallets';
const WALLETS = {
  apple_pay: { name: 'Apple Pay', option: 'applePay' },
  google_pay: { name: 'Google Pay', option: 'googlePay' },
};
/** A page must answer a click within this time, or the wallet does not open. */
const CLICK_MS = 1_000;

const BUTTONS = `
  :host { display: grid; gap: 8px; font: 16px/1.4 system-ui, sans-serif; }
  button {
    min-height: 44px; border: 0; border-radius: 8px; color: #fff; background: #000; font: inherit;
    cursor: pointer;
  }
  button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
`;
const SHEET = `
  dialog {
    box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 1.5rem; border: 1px solid;
    border-radius: 8px; color-scheme: light dark; color: CanvasText; background: Canvas;
    font: 16px/1.5 system-ui, sans-serif;
  }
  div { display: grid; gap: 12px; }
  button { min-height: 44px; padding: 0 1rem; font: inherit; cursor: pointer; }
`;

/** The Express Checkout Element: a button for each wallet of the device, and the wallet's sheet. */
export class WalletButtons {
  #options;
  #messages;
  #load;
  #onDestroy;
  #events = new ElementEvents('expressCheckout');
  #host = null;
  #container = null;
  /** What the customer chose in the sheet: the parameters of the payment method. */
  #method = null;

  constructor(options, { messages, load, onDestroy }) {
    this.#options = options ?? {};
    this.#messages = messages;
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
    this.#container = typeof target === 'string' ? document.querySelector(target) : target;
    this.#host = document.createElement('div');
    this.#container.replaceChildren(this.#host);
    this.#host.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheetOf(BUTTONS)];
    void this.#start(this.#host);
  }

  unmount() {
    this.#host?.remove();
    this.#host = null;
  }

  destroy() {
    this.unmount();
    this.#events.clear();
    this.#onDestroy();
  }

  update(options) {
    this.#options = { ...this.#options, ...options };
  }

  focus() {}

  blur() {}

  /** For the group only. */
  _setAppearance() {}

  /** For the group only. The wallet has checked what it holds. */
  _validate() {
    return undefined;
  }

  /** For the group only: the card in the wallet. */
  _read() {
    if (this.#method !== null) return this.#method;
    throw integrationError(
      'The wallet must be confirmed before stripe.confirmPayment() is called.',
    );
  }

  get _chosen() {
    return this.#method?.card.wallet;
  }

  async #start(host) {
    await Promise.resolve();
    const { value, error } = await this.#load();
    if (this.#host !== host) return;
    if (error !== undefined) {
      this.#events.emit('loaderror', { error });
      return;
    }
    const present = (localStorage.getItem(STORED) ?? '').split(',');
    const isOffered = ([type, { option }]) =>
      present.includes(type) && this.#options.paymentMethods?.[option] !== 'never';
    const offered = Object.entries(WALLETS).filter(isOffered);
    for (const [type, { name }] of offered) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = name;
      button.addEventListener('click', () => void this.#clicked(type, value));
      host.shadowRoot.append(button);
    }
    const names = Object.values(WALLETS).map(({ option }) => [option, false]);
    const available = { ...Object.fromEntries(names), link: false, amazonPay: false };
    for (const [, { option }] of offered) available[option] = true;
    this.#events.emit('ready', {
      availablePaymentMethods: offered.length > 0 ? available : undefined,
    });
  }

  async #clicked(type, paymentIntent) {
    if (this.#events.has('click') && !(await this.#asked(type))) return;
    const answer = await openSheet(this.#messages, WALLETS[type].name, paymentIntent);
    // The wallet has disappeared, and the page hears nothing of it.
    if (answer === 'silent') return;
    if (answer === 'cancel') {
      this.#events.emit('cancel', {});
      return;
    }
    const year = new Date().getFullYear() + 2;
    const number = answer === 'decline' ? '4000000000000002' : '4242424242424242';
    const card = { number, exp_month: 12, exp_year: year, cvc: '123', wallet: type };
    this.#method = { type: 'card', card, billing_details: { name: 'Wallet' } };
    this.#events.emit('confirm', {
      expressPaymentType: type,
      billingDetails: { name: 'Wallet' },
      paymentFailed: () => {
        this.#method = null;
      },
    });
  }

  /** Whether the page lets the wallet open, by `resolve()` in its listener. */
  #asked(type) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), CLICK_MS);
      const answer = (isAllowed) => () => {
        clearTimeout(timer);
        resolve(isAllowed);
      };
      const event = { expressPaymentType: type, resolve: answer(true), reject: answer(false) };
      this.#events.emit('click', event);
    });
  }
}

function sheetOf(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** The wallet's sheet. Resolves to `pay`, `decline`, `cancel`, or `silent` for a wallet that never answers. */
function openSheet({ wallet, locale }, name, { amount, currency }) {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheetOf(SHEET)];
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', name);
  const price = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100);
  const question = document.createElement('p');
  question.textContent = `${name}: ${price}`;
  const buttons = document.createElement('div');
  dialog.append(question, buttons);
  root.append(dialog);
  document.body.append(host);
  return new Promise((resolve) => {
    for (const answer of ['pay', 'decline', 'cancel', 'silent']) {
      const button = document.createElement('button');
      button.id = `wallet-${answer}`;
      button.textContent = wallet[answer];
      button.addEventListener('click', () => dialog.close(answer));
      buttons.append(button);
    }
    dialog.addEventListener('close', () => {
      host.remove();
      resolve(dialog.returnValue || 'cancel');
    });
    dialog.showModal();
  });
}
