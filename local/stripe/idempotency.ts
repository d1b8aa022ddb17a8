import { createHash } from 'node:crypto';

import { StripeProblem } from './errors.ts';
import { nowInSeconds } from './ids.ts';
import type { IdempotentAnswer } from './kept.ts';
import type { Params } from './params.ts';
import type { Store } from './store.ts';

/** How long a key is remembered, in seconds. Source: https://docs.stripe.com/api/idempotent_requests */
export const IDEMPOTENCY_SECONDS = 24 * 60 * 60;
const LONGEST_KEY = 255;

/**
 * The answer already given under this key, or null when the request is new.
 * @throws StripeProblem 400 `idempotency_error` when the key was used for something else
 */
export function findAnswer(
  store: Store,
  key: string,
  path: string,
  params: Params,
): IdempotentAnswer | null {
  if (key.length > LONGEST_KEY) {
    throw misuse(`Idempotency keys may not be longer than ${LONGEST_KEY} characters.`);
  }
  const answer = store.get('idempotent_answer', key);
  if (answer === undefined || answer.created <= nowInSeconds() - IDEMPOTENCY_SECONDS) return null;
  if (answer.path !== path) {
    throw misuse(
      'Keys for idempotent requests can only be used for the same endpoint they were first used ' +
        `for ('${path}' vs '${answer.path}'). Try using a key other than '${key}' if you meant to ` +
        'execute a different request.',
    );
  }
  if (answer.fingerprint !== fingerprintOf(params)) {
    throw misuse(
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
        `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  return answer;
}

/**
 * Tells two requests apart by their parameters. Of a card it sees the last four digits only, so
 * that what is kept can never be searched for a card number.
 */
export function fingerprintOf(params: Params): string {
  const text = JSON.stringify(params, (name, value: unknown) => {
    if (name === 'number' && typeof value === 'string') return value.slice(-4);
    return name === 'cvc' ? undefined : value;
  });
  return createHash('sha256').update(text).digest('base64url');
}

/** @throws StripeProblem 409 while another request with this key has not been run yet */
export function refuseKeyInUse(keysInUse: ReadonlySet<string>, key: string): void {
  if (!keysInUse.has(key)) return;
  throw new StripeProblem(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotency-Key (that probably ' +
      `means you submitted twice, and the other request is still going through): ${key}. Please ` +
      'try again later.',
  });
}

function misuse(message: string): StripeProblem {
  return new StripeProblem(400, { type: 'idempotency_error', message });
}
