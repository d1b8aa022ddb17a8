/** The provider has said, or this machine knows, that with these credentials nobody gets in. */
export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';
}

/** What the token service answers to a key that it does not know, or that may do nothing. */
const REFUSALS = new Set([400, 401, 403]);

/**
 * Whether an error of the SDK says that the credentials are no good. A request that did not come
 * through (gaxios' errors have a `config`) says nothing of them, nor does a server in trouble; all other
 * errors come from this machine: there is no key file, or none that can be read.
 */
export function isRefusal(error: unknown): boolean {
  const { status, config } = (error ?? {}) as { status?: unknown; config?: unknown };
  if (typeof status === 'number') return REFUSALS.has(status);
  return config === undefined;
}
