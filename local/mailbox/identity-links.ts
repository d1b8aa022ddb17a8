/** A link that the identity provider would have mailed. */
export interface IdentityLink {
  code: string;
  /** When it was first seen: the emulator does not say when it was made. */
  at: Date;
  to: string;
  subject: string;
  /** The emulator's own address for it. */
  url: string;
  /** Its own page cannot ask for a password; ours does. */
  asksPassword: boolean;
  /** Neither used nor forgotten by the emulator. */
  usable: boolean;
}

export interface IdentityLinks {
  /** Newest first. */
  list: () => Promise<IdentityLink[]>;
  /** Sets the new password; returns the emulator's complaint, or null when it is done. */
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
  /** Of a change of address: where its link is mailed. */
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
const LOOK_EVERY_MS = 2_000;
const ADMIN = { authorization: 'Bearer owner' };

/** Looks at the identity emulator for the links that it made instead of mailing them. */
export function watchIdentityLinks({ url, projectId }: IdentityAddress): IdentityLinks {
  const links = new Map<string, IdentityLink>();

  async function look(): Promise<void> {
    const path = `emulator/v1/projects/${projectId}/oobCodes`;
    const signal = AbortSignal.timeout(LOOK_EVERY_MS);
    const response = await fetch(`${url}/${path}`, { headers: ADMIN, signal });
    const { oobCodes = [] } = (await response.json()) as { oobCodes?: OobCode[] };
    const alive = new Set(oobCodes.map(({ oobCode }) => oobCode));
    for (const link of links.values()) link.usable = alive.has(link.code);
    for (const code of oobCodes) if (!links.has(code.oobCode)) links.set(code.oobCode, seen(code));
  }

  // Not only when the page is read: otherwise all would have the time of the reading.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  timer.unref();
  return {
    list: async () => {
      // An emulator that is away, or not there yet, leaves what is known.
      await look().catch(() => {});
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
