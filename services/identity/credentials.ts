import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import {
  CredentialsRefused,
  type IdentityProvider,
  type IdentityProviderOptions,
  identityToolkitUrl,
} from './identity-provider.ts';
import pTimeout from 'p-timeout';
import { reasonOf } from '#errors/reason-of.ts';
import { waitFor, type WaitOptions } from '#lifecycle/wait-for.ts';

const TIMEOUT_MS = 8_000;

/**
 * The domains on which the project's sign-in works, as every browser may read them with the web API
 * key.
 *
 * @returns null when the key is refused
 * @throws Error when there is no answer
 */
export async function readAuthorizedDomains(
  options: IdentityProviderOptions,
): Promise<string[] | null> {
  const response = await fetch(identityToolkitUrl(options, 'projects'), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 400 || response.status === 403) return null;
  if (!response.ok) throw new Error(`projects answered ${response.status}`);
  const { authorizedDomains = [] } = (await response.json()) as { authorizedDomains?: string[] };
  return authorizedDomains;
}

/**
 * Whether the project keeps to itself who is registered ("e-mail enumeration protection").
 *
 * @throws Error when these credentials may not read the project's settings
 */
export async function isEnumerationProtected({
  projectId,
}: IdentityProviderOptions): Promise<boolean> {
  const app = initializeApp({ projectId }, `check-${crypto.randomUUID()}`);
  const config = await getAuth(app).projectConfigManager().getProjectConfig();
  return config.emailPrivacyConfig?.enableImprovedEmailPrivacy === true;
}

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
