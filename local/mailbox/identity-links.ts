/** A link that the identity provider would mail in production. */
export interface IdentityLink {
  code: string;
  /** When it was first seen; the emulator has no creation time. */
  at: Date;
  to: string;
  subject: string;
  /** The emulator's URL of it. */
  url: string;
  /** Whether it needs a form for a password: the emulator's page has none, so ours has one. */
  asksPassword: boolean;
  /** Whether the emulator still accepts it. */
  usable: boolean;
}

export interface IdentityLinks {
  /** Newest first. */
  list: () => Promise<IdentityLink[]>;
  /** Sets the new password. Returns the emulator's error, or null on success. */
  choosePassword: (code: string, password: string) => Promise<string | null>;
  close: () => void;
}

export interface IdentityAddress {
  /** `http://127.0.0.1:9099` */
  url: string;
  projectId: string;
}

interface OobCode {
  email: string;
  /** For a change of address: the address that the link is mailed to. */
  newEmail?: string;
  requestType: string;
  oobCode: string;
  oobLink: string;
}

const SUBJECTS: Record<string, string> = {
  PASSWORD_RESET: 'Choose a new password',
  VERIFY_EMAIL: 'Confirm your e-mail address',
  EMAIL_SIGNIN: 'Sign in',
  VERIFY_AND_CHANGE_EMAIL: 'Confirm your new e-mail address',
};
const POLL_INTERVAL_MS = 2_000;
const ADMIN = { authorization: 'Bearer owner' };

/** Polls the identity emulator for links, which it does not mail. */
export function pollIdentityLinks({ url, projectId }: IdentityAddress): IdentityLinks {
  const links = new Map<string, IdentityLink>();

  async function poll(): Promise<void> {
    const path = `emulator/v1/projects/${projectId}/oobCodes`;
    const signal = AbortSignal.timeout(POLL_INTERVAL_MS);
    const response = await fetch(`${url}/${path}`, { headers: ADMIN, signal });
    const { oobCodes = [] } = (await response.json()) as { oobCodes?: OobCode[] };
    const alive = new Set(oobCodes.map(({ oobCode }) => oobCode));
    for (const link of links.values()) link.usable = alive.has(link.code);
    for (const code of oobCodes) if (!links.has(code.oobCode)) links.set(code.oobCode, seen(code));
  }

  // Polls also while no page is open, because the time of a link is the time of the first poll that sees it.
  const timer = setInterval(() => void poll().catch(() => {}), POLL_INTERVAL_MS);
  timer.unref();
  return {
    list: async () => {
      // While the emulator is unreachable, returns the links that are known.
      await poll().catch(() => {});
      return [...links.values()].toReversed();
    },
    choosePassword: async (oobCode, newPassword) => {
      const path = 'identitytoolkit.googleapis.com/v1/accounts:resetPassword?key=local';
      const response = await fetch(`${url}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ oobCode, newPassword }),
      });
      const answer = (await response.json()) as { error?: { message: string } };
      return response.ok ? null : (answer.error?.message ?? `Status ${response.status}`);
    },
    close: () => clearInterval(timer),
  };
}

function seen({ email, newEmail, requestType, oobCode, oobLink }: OobCode): IdentityLink {
  return {
    code: oobCode,
    at: new Date(),
    to: newEmail ?? email,
    subject: SUBJECTS[requestType] ?? requestType,
    url: oobLink,
    asksPassword: requestType === 'PASSWORD_RESET',
    usable: true,
  };
}
