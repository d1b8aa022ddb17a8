import { localized } from './messages.js';

/** A content type that needs no CORS preflight. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/**
 * Calls the API as Stripe.js does: the publishable key and all parameters are in the form, which needs no
 * preflight. Resolves to `{ value }` or `{ error }`, with the message in the language of the page; never
 * rejects.
 */
export async function callApi(api, key, messages, method, path, params) {
  const form = new URLSearchParams();
  append(form, null, { ...params, key });
  const isGet = method === 'GET';
  try {
    const response = await fetch(`${api}${path}${isGet ? `?${form}` : ''}`, {
      method,
      credentials: 'omit',
      ...(isGet ? {} : { body: String(form), headers: FORM }),
    });
    const body = await response.json();
    return body.error ? { error: localized(body.error, messages) } : { value: body };
  } catch {
    const message = messages.errors.api_connection_error;
    return { error: { type: 'api_connection_error', message } };
  }
}

/** `{ a: { b: 1 } }` becomes `a[b]=1`; undefined and null are left out. */
function append(form, name, value) {
  if (value === undefined || value === null) return;
  if (typeof value !== 'object') {
    form.append(name, String(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    append(form, name === null ? key : `${name}[${key}]`, inner);
  }
}

const STYLE = `
  dialog {
    box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 1.5rem; border: 1px solid;
    border-radius: 8px; color-scheme: light dark; color: CanvasText; background: Canvas;
    font: 16px/1.5 system-ui, sans-serif;
  }
  dialog::backdrop { background: rgb(0 0 0 / 60%); }
  h2 { margin: 0; font-size: 1.25rem; }
  div { display: flex; flex-wrap: wrap; gap: 12px; }
  button { min-height: 44px; padding: 0 1rem; font: inherit; cursor: pointer; }
`;

/**
 * Shows the bank's dialog for 3D Secure. Resolves to `complete` or `fail`; Escape means `fail`. The buttons have
 * the same ids as at Stripe.
 */
function askCustomer({ challenge, locale }, { amount, currency }) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.setAttribute('aria-describedby', 'question');
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const question = challenge.question.replace('{amount}', format.format(amount / 100));
  const complete = part('button', 'test-source-authorize-3ds', challenge.complete);
  const fail = part('button', 'test-source-fail-3ds', challenge.fail);
  const buttons = part('div', 'buttons', '');
  buttons.append(complete, fail);
  dialog.append(part('h2', 'title', challenge.title), part('p', 'question', question), buttons);

  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  root.append(dialog);
  document.body.append(host);

  return new Promise((resolve) => {
    complete.addEventListener('click', () => dialog.close('complete'));
    fail.addEventListener('click', () => dialog.close('fail'));
    dialog.addEventListener('keydown', (event) => {
      if (event.key !== 'Tab') return;
      // In a modal dialog alone, Tab would move the focus on to the browser's own buttons.
      event.preventDefault();
      (root.activeElement === complete ? fail : complete).focus();
    });
    dialog.addEventListener('close', () => {
      host.remove();
      resolve(dialog.returnValue === 'complete' ? 'complete' : 'fail');
    });
    dialog.showModal();
  });
}

function part(tag, id, text) {
  const node = document.createElement(tag);
  node.id = id;
  node.textContent = text;
  return node;
}

/** Leaves the page; never resolves. */
export function leave(url) {
  window.location.assign(url);
  return new Promise(() => {});
}

/**
 * Lets the customer complete the intent's next action, and reads the result: `{ value }`, or `{ error }` when
 * the intent requires another payment method.
 */
export async function handleNextAction(api, messages, retrieve, paymentIntent) {
  const { id, client_secret: clientSecret, next_action: action } = paymentIntent;
  if (action.type === 'redirect_to_url') {
    return leave(action.redirect_to_url.url);
  }
  const outcome = await askCustomer(messages, paymentIntent);
  try {
    // Ignores the bank's response: the action may have been completed elsewhere.
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
