import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  hasBilling,
  isEnumerationProtected,
  type KeyRefusal,
  readAuthorizedDomains,
} from '@proveklar/services/identity/credentials.ts';
import {
  createIdentityProvider,
  type IdentityProviderOptions,
} from '@proveklar/services/identity/identity-provider.ts';
import type { PasswordPolicy } from '@proveklar/services/identity/identity-toolkit.ts';
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
    const options = { projectId, apiKey, page: url, emulatorHost };
    let domains;
    try {
      domains = await readAuthorizedDomains(options);
    } catch (error) {
      // Returns now: the server SDK would retry for a long time.
      return [providerUnreachable(error, emulatorHost)];
    }
    const findings = [checkCredentials(options)];
    if (!emulatorHost) {
      findings.push(checkEnumerationProtection(options), checkPolicy(options), checkPlan(options));
    }
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

const KEYS = 'In the Google Cloud console, APIs & Services, Credentials';

/** What the provider says of the key, and what to do. */
const REFUSALS: Record<KeyRefusal, [what: string, remedy: string]> = {
  invalid: [
    'the provider does not know FIREBASE_API_KEY',
    'Copy the web API key from the Firebase console, Project settings, General.',
  ],
  page: [
    'FIREBASE_API_KEY is restricted to websites, and PUBLIC_URL is not among them: no learner can sign in',
    `${KEYS}, add the site and the project's authDomain to the website restrictions of the key.`,
  ],
  host: [
    'FIREBASE_API_KEY is restricted to IP addresses: browsers cannot use it',
    `${KEYS}, restrict the key to websites instead, or not at all.`,
  ],
  api: [
    'FIREBASE_API_KEY is restricted to other APIs: no learner can sign in',
    `${KEYS}, add the Identity Toolkit API and the Token Service API to the API restrictions of the key.`,
  ],
  other: [
    'the provider refuses FIREBASE_API_KEY and does not say why',
    'Compare it with the web API key in the Firebase console, Project settings, General, and see whether the Identity Toolkit API is enabled for the project.',
  ],
};

function evaluateApiKey(domains: string[] | KeyRefusal, publicUrl: string | undefined): Finding {
  if (typeof domains === 'string') return fault(...REFUSALS[domains]);
  if (!publicUrl) return ok('the web API key is accepted');
  const { hostname } = new URL(publicUrl);
  if (domains.includes(hostname))
    return ok(`the web API key is accepted, and ${hostname} is authorized`);
  return fault(
    `${hostname} is not an authorized domain: sign-in with Google fails there`,
    'Add it in the Firebase console, Authentication, Settings, Authorized domains.',
  );
}

async function checkPlan(options: IdentityProviderOptions): Promise<Finding> {
  try {
    return evaluatePlan(await hasBilling(options));
  } catch (error) {
    return unchecked(`the plan of the project: ${reasonOf(error)}`);
  }
}

/** Only the links to a new address are mailed by Firebase; all other mails are ours. */
export function evaluatePlan(isPaid: boolean | null): Finding {
  if (isPaid === null) {
    return unchecked(
      'the plan of the project: the service account may not read it. Without billing (Spark), Firebase sends 150 links to new addresses a day',
    );
  }
  if (isPaid) return ok('the project has billing (Blaze)');
  return warning(
    'the project has no billing (Spark): Firebase sends at most 150 links to new addresses a day',
    'Add billing in the Firebase console, Usage and billing, if learners change their addresses often. No other mail depends on it.',
  );
}

async function checkPolicy(options: IdentityProviderOptions): Promise<Finding> {
  try {
    return evaluatePolicy(await createIdentityProvider(options).readPasswordPolicy());
  } catch (error) {
    return unchecked(`password policy: ${reasonOf(error)}`);
  }
}

/** Our own rules ask for 8 to 128 characters (`services/identity/password-rule.ts`). */
export function evaluatePolicy(policy: PasswordPolicy | null): Finding {
  const { minLength = 0, maxLength = Infinity, kinds = [] } = policy ?? {};
  const stricter = [
    ...(minLength > 8 ? [`at least ${minLength} characters`] : []),
    ...(maxLength < 128 ? [`at most ${maxLength} characters`] : []),
    ...kinds.map((kind) => `a character of the kind ${kind}`),
  ];
  if (stricter.length === 0) return ok('the password policy asks for nothing beyond our rules');
  return warning(
    `the password policy is stricter than our rules: ${stricter.join(', ')}`,
    'It is kept, and learners are told before they pay. Their screens ask for 8 characters: to do without the rest, change it in the Firebase console, Authentication, Settings, Password policy.',
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
