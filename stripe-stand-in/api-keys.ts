import { StripeProblem } from './errors.ts';
import type { Params } from './params.ts';

/** The caller: the server (secret key) or the browser (publishable key). */
export type KeyKind = 'secret' | 'publishable';

/**
 * The kind of the request's test key: `Authorization: Bearer …` or `Basic …`, or the parameter `key`, as
 * Stripe.js sends it. Live keys are rejected, because no payment here is real.
 * @throws StripeProblem 401
 */
export function authenticate(authorization: string | undefined, params: Params): KeyKind {
  const key = keyOf(authorization) ?? (typeof params.key === 'string' ? params.key : '');
  if (/^sk_test_\w+$/.test(key)) return 'secret';
  if (/^pk_test_\w+$/.test(key)) return 'publishable';
  if (key === '') {
    throw unauthorized(
      'You did not provide an API key. You need to provide your API key in the Authorization ' +
        "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  throw unauthorized(`Invalid API Key provided: ${masked(key)}`);
}

/** @throws StripeProblem 401 for a call that Stripe accepts with the secret key only */
export function requireSecret(kind: KeyKind): void {
  if (kind === 'secret') return;
  throw unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  );
}

function keyOf(authorization: string | undefined): string | undefined {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ', 2);
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() === 'basic')
    return Buffer.from(value, 'base64').toString().split(':')[0];
  return undefined;
}

/** Masks a key, which may be a real one: shows its kind and its end, as Stripe does. */
function masked(key: string): string {
  const kind = /^[a-z]+_(test|live)_/.exec(key)?.[0] ?? '';
  return key.length < kind.length + 8 ? `${kind}***` : `${kind}********${key.slice(-4)}`;
}

function unauthorized(message: string, code?: string): StripeProblem {
  return new StripeProblem(401, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
  });
}
