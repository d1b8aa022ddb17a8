import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { identityToolkitUrl, type IdentityProviderOptions } from './identity-provider.ts';

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
