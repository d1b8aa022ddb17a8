import { localized } from './messages.js';

/** One of the types that a page may send to another origin without asking first. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/**
 * Calls the API as Stripe.js does, with the publishable key and everything else in the form, which
 * needs no preflight. Resolves to `{ value }` or `{ error }`, with the message in the language of
 * the page; never rejects.
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

/** `{ a: { b: 1 } }` becomes `a[b]=1`; what is undefined or null is left out. */
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
