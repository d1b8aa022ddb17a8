import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  isEnumerationProtected,
  readAuthorizedDomains,
} from '@proveklar/services/identity/credentials.ts';
import {
  createIdentityProvider,
  type IdentityProviderOptions,
} from '@proveklar/services/identity/identity-provider.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import type { Check } from './installation.ts';

/** Firebase Auth: the server's credentials, and the settings that browsers need. */
export const identity: Check = {
  name: 'Identity',
  async run({ config }) {
    const { FIREBASE_PROJECT_ID: projectId, FIREBASE_API_KEY: apiKey, PUBLIC_URL: url } = config;
    if (!projectId || !apiKey) {
      return [unchecked('FIREBASE_PROJECT_ID or FIREBASE_API_KEY is not set')];
    }
    const emulatorHost = config.FIREBASE_AUTH_EMULATOR_HOST;
    const options = { projectId, apiKey, emulatorHost };
    let domains;
    try {
      domains = await readAuthorizedDomains(options);
    } catch (error) {
      // Returns now: the server SDK would retry for a long time.
      return [providerUnreachable(error, emulatorHost)];
    }
    const findings = [checkCredentials(options)];
    if (!emulatorHost) findings.push(checkEnumerationProtection(options));
    return [
      ...(await Promise.all(findings)),
      evaluateApiKey(domains, emulatorHost ? undefined : url),
    ];
  },
};

async function checkCredentials(options: IdentityProviderOptions): Promise<Finding> {
  const { projectId, emulatorHost } = options;
  try {
    const provider = createIdentityProvider(options);
    await provider.check();
    await provider.listUsers(1);
    return ok(`project ${projectId}${emulatorHost ? ', the emulator' : ''}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    return fault(
      `project ${projectId} does not let the server read its users: ${reasonOf(cause)}`,
      'Set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account of this project with the role Firebase Authentication Admin.',
    );
  }
}

function providerUnreachable(error: unknown, emulatorHost: string | undefined): Finding {
  const reason = error instanceof Error && error.cause ? error.cause : error;
  return fault(
    `the provider does not answer: ${reasonOf(reason)}`,
    emulatorHost
      ? 'Start the identity emulator (locally npm start does it), or correct FIREBASE_AUTH_EMULATOR_HOST.'
      : 'Let this host reach https://identitytoolkit.googleapis.com.',
  );
}

function evaluateApiKey(domains: string[] | null, publicUrl: string | undefined): Finding {
  if (domains === null) {
    return fault(
      'the provider refuses FIREBASE_API_KEY',
      'Copy the web API key from the Firebase console, Project settings, General.',
    );
  }
  if (!publicUrl) return ok('the web API key is accepted');
  const { hostname } = new URL(publicUrl);
  if (domains.includes(hostname))
    return ok(`the web API key is accepted, and ${hostname} is authorized`);
  return fault(
    `${hostname} is not an authorized domain: sign-in with Google fails there`,
    'Add it in the Firebase console, Authentication, Settings, Authorized domains.',
  );
}

async function checkEnumerationProtection(options: IdentityProviderOptions): Promise<Finding> {
  try {
    if (await isEnumerationProtected(options)) return ok('e-mail enumeration protection is on');
  } catch (error) {
    return unchecked(`e-mail enumeration protection: ${reasonOf(error)}`);
  }
  return warning(
    'e-mail enumeration protection is off: strangers can ask who is registered',
    'Switch it on in the Firebase console, Authentication, Settings, User actions.',
  );
}
