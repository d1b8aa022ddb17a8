import pTimeout from 'p-timeout';
import { reasonOf } from '#errors/reason-of.ts';
import { waitFor, type WaitOptions } from '#lifecycle/wait-for.ts';
import { CredentialsRefused } from './credentials-refused.ts';
import type { IdentityProvider } from './identity-provider.ts';

const FIRST_ANSWER_MS = 5_000;

type Provider = Pick<IdentityProvider, 'check'>;

/**
 * Asks until the provider has let us in, and waits some seconds for it. That it cannot be reached for a
 * while is no reason to end: most of what a process does needs no provider. A refusal that comes later
 * is an error that nobody catches, by which the process ends.
 *
 * @throws CredentialsRefused that says what to set
 */
export async function beginAskingProvider(
  identity: Provider,
  options: WaitOptions & { signal: AbortSignal },
): Promise<void> {
  const asking = awaitCredentials(identity, options);
  await pTimeout(asking, { milliseconds: FIRST_ANSWER_MS, message: false });
  void asking.catch((error: unknown) => {
    if (!options.signal.aborted) throw error;
  });
}

/** @throws CredentialsRefused, or the signal's reason */
export async function awaitCredentials(identity: Provider, options: WaitOptions): Promise<void> {
  let refused: CredentialsRefused | undefined;
  const look = async () => {
    try {
      await identity.check();
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) return [reasonOf(error)];
      refused = error;
    }
    return [];
  };
  await waitFor(look, options);
  if (refused) throw refused;
}
