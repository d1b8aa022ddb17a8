import { applicationDefault, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import {
  CredentialsRejectedError,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts';
import { identityToolkitUrl, pageHeader } from './identity-toolkit.ts';
import pTimeout from 'p-timeout';
import { reasonOf } from '#errors/reason-of.ts';
import { waitFor, type WaitOptions } from '#lifecycle/wait-for.ts';

const TIMEOUT_MS = 8_000;

/**
 * Why the provider refuses the web API key: it is not a key of this project; the page, or this host, is not
 * in the key's application restrictions; the Identity Toolkit API is not in its API restrictions.
 */
export type KeyRefusal = 'invalid' | 'page' | 'host' | 'api' | 'other';

// https://cloud.google.com/service-infrastructure/docs/service-control/reference/rest/v2/ErrorReason
const REFUSALS: Record<string, KeyRefusal> = {
  API_KEY_INVALID: 'invalid',
  API_KEY_HTTP_REFERRER_BLOCKED: 'page',
  API_KEY_IP_ADDRESS_BLOCKED: 'host',
  API_KEY_SERVICE_BLOCKED: 'api',
};

/**
 * Reads the domains on which sign-in works. Every browser may read them with the web API key.
 *
 * @returns why the provider refuses the key, if it does
 * @throws Error when there is no answer
 */
export async function readAuthorizedDomains(
  options: IdentityProviderOptions,
): Promise<string[] | KeyRefusal> {
  const response = await fetch(identityToolkitUrl(options, 'projects'), {
    headers: pageHeader(options),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 400 || response.status === 403) {
    const body = await response.text();
    const reason = Object.keys(REFUSALS).find((known) => body.includes(`"${known}"`));
    return reason ? REFUSALS[reason]! : 'other';
  }
  if (!response.ok) throw new Error(`projects answered ${response.status}`);
  const { authorizedDomains = [] } = (await response.json()) as { authorizedDomains?: string[] };
  return authorizedDomains;
}

/**
 * Whether the project has e-mail enumeration protection: it does not reveal who is registered.
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

/**
 * Whether the project is on a plan with a billing account (Blaze). Without one Firebase sends 150 mails a day, which are
 * those to a new address: https://firebase.google.com/docs/auth/limits
 *
 * @returns null when these credentials may not ask, or the Cloud Billing API is not enabled
 * @throws Error when there is no answer
 */
export async function hasBilling({ projectId }: IdentityProviderOptions): Promise<boolean | null> {
  const { access_token: token } = await applicationDefault().getAccessToken();
  const response = await fetch(
    `https://cloudbilling.googleapis.com/v1/projects/${encodeURIComponent(projectId)}/billingInfo`,
    { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(TIMEOUT_MS) },
  );
  if (response.status === 403) return null;
  if (!response.ok) throw new Error(`billingInfo answered ${response.status}`);
  const { billingEnabled = false } = (await response.json()) as { billingEnabled?: boolean };
  return billingEnabled;
}

const FIRST_ATTEMPT_TIMEOUT_MS = 5_000;

type Provider = Pick<IdentityProvider, 'check'>;

/**
 * Verifies the provider's credentials and waits up to five seconds for the result. While the provider
 * is unreachable, the check is retried in the background and the process runs on: most of its work
 * needs no provider. A later rejection is an uncaught error that ends the process.
 *
 * @throws CredentialsRejectedError that says what to set
 */
export async function verifyCredentialsWithRetry(
  identity: Provider,
  options: WaitOptions & { signal: AbortSignal },
): Promise<void> {
  const waiting = waitForCredentials(identity, options);
  await pTimeout(waiting, { milliseconds: FIRST_ATTEMPT_TIMEOUT_MS, message: false });
  void waiting.catch((error: unknown) => {
    if (!options.signal.aborted) throw error;
  });
}

/** @throws CredentialsRejectedError, or the signal's reason */
export async function waitForCredentials(identity: Provider, options: WaitOptions): Promise<void> {
  let rejection: CredentialsRejectedError | undefined;
  const check = async () => {
    try {
      await identity.check();
    } catch (error) {
      if (!(error instanceof CredentialsRejectedError)) return [reasonOf(error)];
      rejection = error;
    }
    return [];
  };
  await waitFor(check, options);
  if (rejection) throw rejection;
}
