import { reasonOf } from '#errors/reason-of.ts';
import { waitFor, type WaitOptions } from '#lifecycle/wait-for.ts';
import { CredentialsRefused } from './credentials-refused.ts';
import type { IdentityProvider } from './identity-provider.ts';

/**
 * Asks until the provider has let us in. That it cannot be reached for a while is no reason to end:
 * most of what a process does needs no provider.
 *
 * @throws CredentialsRefused that says what to set
 */
export async function awaitCredentials(
  identity: Pick<IdentityProvider, 'check'>,
  options: WaitOptions,
): Promise<void> {
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
