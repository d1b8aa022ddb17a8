import { applicationDefault, initializeApp } from 'firebase-admin/app';
import { getAuth, type Auth, type UserMetadata, type UserRecord } from 'firebase-admin/auth';
import pTimeout, { TimeoutError } from 'p-timeout';
import { Type } from 'typebox';
import Value from 'typebox/value';
import { AppError, type ErrorCode } from '#errors/app-error.ts';

const TIMEOUT_MS = 10_000;
/** A learner waits for it who has not begun to pay. */
const POLICY_TIMEOUT_MS = 2_000;
/** No answer is kept as long, so that not every registration waits for one. */
const POLICY_KEPT_MS = 60_000;
const USER_NOT_FOUND = 'auth/user-not-found';

export interface IdentityUser {
  uid: string;
  email: string;
  /** The user has shown that the address is theirs: by a mailed link, or by signing in with Google. */
  emailVerified: boolean;
  displayName: string | null;
  hasPassword: boolean;
  hasSignedIn: boolean;
  /** May not sign in. */
  disabled: boolean;
  /** Null for some very old users. */
  createdAt: Date | null;
  lastSignInAt: Date | null;
  /** When a token was last made from a refresh token. */
  lastRefreshAt: Date | null;
  /** Tokens from sign-ins before this moment are revoked. Whole seconds. */
  tokensValidAfter: Date | null;
}

/** A page of all users, in the provider's order. */
export interface IdentityPage {
  users: IdentityUser[];
  /** Null on the last page. */
  nextPageToken: string | null;
}

export interface NewIdentity {
  /** Chosen by us, so that a second try finds what the first one made. */
  uid: string;
  email: string;
  displayName: string;
  password?: string | undefined;
}

/** A kind of character that the provider may demand in a password. */
export type CharacterKind = 'lowercase' | 'uppercase' | 'number' | 'symbol';

/** What the provider demands of a new password. */
export interface PasswordPolicy {
  shortest: number;
  longest: number;
  kinds: CharacterKind[];
  /** What counts as a symbol. */
  symbols: string;
}

export interface IdentityProvider {
  /**
   * Whether the provider lets us in: better known at the start than after somebody has paid.
   *
   * @throws CredentialsRefused that says what to set; any other error when there was no answer
   */
  check: () => Promise<void>;
  /** Returns what stood in the way when the user was not created. */
  createUser(user: NewIdentity): Promise<'created' | 'uid_exists' | 'email_exists'>;
  findByUid(uid: string): Promise<IdentityUser | null>;
  findByEmail(email: string): Promise<IdentityUser | null>;
  /** Those of these users that there are, in any order. */
  findUsers(uids: readonly string[]): Promise<IdentityUser[]>;
  /**
   * @param pageSize at most 1000
   * @throws AppError `validation_failed` for a token that is none
   */
  listUsers(pageSize: number, pageToken?: string): Promise<IdentityPage>;
  /** Lets a user sign in or not; disabling also ends their sessions. Does nothing when there is none. */
  setDisabled(uid: string, disabled: boolean): Promise<void>;
  /** Does nothing when there is no such user any more. */
  deleteUser(uid: string): Promise<void>;
  /**
   * What the provider demands of a password now; null for nothing beside a length that ours is within.
   *
   * @throws any error when there was no answer
   */
  readPasswordPolicy(): Promise<PasswordPolicy | null>;
  setPassword(uid: string, password: string): Promise<void>;
  /** Lets no refresh token of a user make another token. Does nothing when there is no such user. */
  endSessions(uid: string): Promise<void>;
  /** Null takes the name away. Does nothing when there is no such user any more. */
  setDisplayName(uid: string, displayName: string | null): Promise<void>;
  /**
   * Has the provider mail a link under which a password can be chosen.
   *
   * @param language of the mail, as the provider names it: `no`, `en`
   */
  sendPasswordLink(email: string, language: string): Promise<void>;
  /**
   * Has the provider mail a link to a new address, which becomes the user's when it is opened. Does nothing
   * for an address that another user has, so that the caller does not learn who is registered.
   *
   * @throws AppError `email_refused`, `recent_sign_in_required`
   */
  sendEmailChangeLink(change: EmailChange): Promise<void>;
}

export interface EmailChange {
  /** A token of the user, from a sign-in of the last minutes. */
  idToken: string;
  email: string;
  /** Of the mail. */
  language: string;
  /** The page that the link leads back to. */
  continueUrl: string;
}

export interface IdentityProviderOptions {
  projectId: string;
  apiKey: string;
  emulatorHost?: string | undefined;
}

/**
 * Users of Firebase Auth. Every call may throw AppError `identity_provider_failed`; what the provider
 * refuses is `password_refused` or `email_refused`.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const app = initializeApp({ projectId: options.projectId }, `identity-${crypto.randomUUID()}`);
  const auth = getAuth(app);
  let policy: { until: number; read: Promise<PasswordPolicy | null> } | undefined;
  return {
    async check() {
      if (options.emulatorHost) return;
      await inTime(applicationDefault().getAccessToken()).catch((cause: unknown) => {
        if (cause instanceof TimeoutError || !isRefusal(cause)) throw cause;
        const mend = 'set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account';
        throw new CredentialsRefused(`Firebase does not let this process in: ${mend}`, { cause });
      });
    },
    async createUser({ uid, email, displayName, password }) {
      try {
        const user = { uid, email, displayName, ...(password ? { password } : {}) };
        await inTime(auth.createUser(user));
        return 'created';
      } catch (error) {
        const code = codeOf(error);
        if (code === 'auth/uid-already-exists') return 'uid_exists';
        if (code === 'auth/email-already-exists') return 'email_exists';
        throw providerError(error);
      }
    },
    findByUid: (uid) => findUser(() => auth.getUser(uid)),
    findByEmail: (email) => findUser(() => auth.getUserByEmail(email)),
    findUsers: (uids) => findUsers(auth, uids),
    async listUsers(pageSize, pageToken) {
      const page = await inTime(auth.listUsers(pageSize, pageToken)).catch((error: unknown) => {
        throw codeOf(error) === 'auth/invalid-page-token' ? badPageToken() : providerError(error);
      });
      return { users: page.users.map(toIdentityUser), nextPageToken: page.pageToken ?? null };
    },
    async setDisabled(uid, disabled) {
      await unlessGone(auth.updateUser(uid, { disabled }));
      if (disabled) await unlessGone(auth.revokeRefreshTokens(uid));
    },
    deleteUser: (uid) => unlessGone(auth.deleteUser(uid)),
    readPasswordPolicy() {
      if (!policy || policy.until < Date.now()) {
        policy = { until: Date.now() + POLICY_KEPT_MS, read: readPasswordPolicy(options) };
      }
      return policy.read;
    },
    async setPassword(uid, password) {
      await inTime(auth.updateUser(uid, { password })).catch((error: unknown) => {
        throw providerError(error);
      });
    },
    endSessions: (uid) => unlessGone(auth.revokeRefreshTokens(uid)),
    setDisplayName: (uid, displayName) => unlessGone(auth.updateUser(uid, { displayName })),
    async sendPasswordLink(email, language) {
      const refusal = await sendLink({ requestType: 'PASSWORD_RESET', email }, options, language);
      if (refusal !== null) throw providerError(new Error(`sendOobCode: ${refusal}`));
    },
    async sendEmailChangeLink({ idToken, email: newEmail, language, continueUrl }) {
      const body = { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail, continueUrl };
      const refusal = await sendLink(body, options, language);
      if (refusal === null || refusal === 'EMAIL_EXISTS') return;
      const cause = new Error(`sendOobCode: ${refusal}`);
      throw new AppError(LINK_REFUSALS[refusal] ?? 'identity_provider_failed', { cause });
    },
  };
}

/**
 * The SDK waits for ever. A call that succeeds after all does no harm: each may be repeated.
 *
 * @throws TimeoutError
 */
function inTime<T>(call: Promise<T>): Promise<T> {
  const message = `No answer within ${TIMEOUT_MS} ms`;
  return pTimeout(call, { milliseconds: TIMEOUT_MS, message });
}

async function findUser(read: () => Promise<UserRecord>): Promise<IdentityUser | null> {
  try {
    return toIdentityUser(await inTime(read()));
  } catch (error) {
    if (codeOf(error) === USER_NOT_FOUND) return null;
    throw providerError(error);
  }
}

/** The provider looks up so many users at a time. */
const MOST_LOOKED_UP = 100;

async function findUsers(auth: Auth, uids: readonly string[]): Promise<IdentityUser[]> {
  const starts = Array.from({ length: Math.ceil(uids.length / MOST_LOOKED_UP) }, (_, n) => n);
  const parts = starts.map((n) => uids.slice(n * MOST_LOOKED_UP, (n + 1) * MOST_LOOKED_UP));
  const answers = parts.map((part) => inTime(auth.getUsers(part.map((uid) => ({ uid })))));
  const found = await Promise.all(answers).catch((error: unknown) => {
    throw providerError(error);
  });
  return found.flatMap(({ users }) => users.map(toIdentityUser));
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  await inTime(call).catch((error: unknown) => {
    if (codeOf(error) !== USER_NOT_FOUND) throw providerError(error);
  });
}

function toIdentityUser(user: UserRecord): IdentityUser {
  const { creationTime, lastSignInTime, lastRefreshTime } = user.metadata;
  const signedIn = hasSignedIn(user.metadata);
  return {
    uid: user.uid,
    email: (user.email ?? '').toLowerCase(),
    emailVerified: user.emailVerified,
    displayName: user.displayName ?? null,
    hasPassword: user.providerData.some((provider) => provider.providerId === 'password'),
    hasSignedIn: signedIn,
    disabled: user.disabled,
    createdAt: toDate(creationTime),
    lastSignInAt: signedIn ? toDate(lastSignInTime) : null,
    lastRefreshAt: toDate(lastRefreshTime),
    tokensValidAfter: toDate(user.tokensValidAfterTime),
  };
}

function toDate(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}

function badPageToken(): AppError {
  return new AppError('validation_failed', {
    message: 'page_token is not one that this list has given out',
    details: { field: 'page_token', part: 'querystring' },
  });
}

/** The emulator gives a user whom we made a sign-in time: that of the making. */
function hasSignedIn({ lastRefreshTime, lastSignInTime, creationTime }: UserMetadata): boolean {
  const signedIn = lastSignInTime ? Date.parse(lastSignInTime) : 0;
  return Boolean(lastRefreshTime) || signedIn > Date.parse(creationTime);
}

const LINK_REFUSALS: Record<string, ErrorCode> = {
  INVALID_EMAIL: 'email_refused',
  INVALID_NEW_EMAIL: 'email_refused',
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: 'recent_sign_in_required',
  TOKEN_EXPIRED: 'recent_sign_in_required',
};

/**
 * Makes the provider mail a link. The server SDK only makes one; this is the public call.
 *
 * @returns what the provider refuses it for; null when it was mailed
 */
async function sendLink(
  body: object,
  options: IdentityProviderOptions,
  language: string,
): Promise<string | null> {
  const response = await fetch(identityToolkitUrl(options, 'accounts:sendOobCode'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-firebase-locale': language },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw providerError(error);
  });
  if (response.ok) return null;
  const answer = (await response.json().catch(() => null)) as {
    error?: { message?: string };
  } | null;
  // A code, and sometimes an explanation after it.
  return answer?.error?.message?.split(' ')[0] ?? `status ${response.status}`;
}

/** As the provider's own library for browsers reads it. */
const Policy = Type.Object({
  enforcementState: Type.Optional(Type.String()),
  allowedNonAlphanumericCharacters: Type.Optional(Type.Array(Type.String())),
  customStrengthOptions: Type.Object({
    minPasswordLength: Type.Optional(Type.Integer()),
    maxPasswordLength: Type.Optional(Type.Integer()),
    containsLowercaseCharacter: Type.Optional(Type.Boolean()),
    containsUppercaseCharacter: Type.Optional(Type.Boolean()),
    containsNumericCharacter: Type.Optional(Type.Boolean()),
    containsNonAlphanumericCharacter: Type.Optional(Type.Boolean()),
  }),
});

// https://cloud.google.com/identity-platform/docs/password-policy; the emulator has none (501).
async function readPasswordPolicy(
  options: IdentityProviderOptions,
): Promise<PasswordPolicy | null> {
  const url = identityToolkitUrl(options, 'passwordPolicy', 'v2');
  const response = await fetch(url, { signal: AbortSignal.timeout(POLICY_TIMEOUT_MS) });
  const policy: unknown = await response.json();
  if (!response.ok || !Value.Check(Policy, policy)) return null;
  if (policy.enforcementState !== 'ENFORCE') return null;
  const { customStrengthOptions: demanded } = policy;
  const kinds = [
    demanded.containsLowercaseCharacter && ('lowercase' as const),
    demanded.containsUppercaseCharacter && ('uppercase' as const),
    demanded.containsNumericCharacter && ('number' as const),
    demanded.containsNonAlphanumericCharacter && ('symbol' as const),
  ].filter((kind) => kind !== undefined && kind !== false);
  return {
    shortest: demanded.minPasswordLength ?? 0,
    longest: demanded.maxPasswordLength ?? Infinity,
    kinds,
    symbols: (policy.allowedNonAlphanumericCharacters ?? []).join(''),
  };
}

/** The address of a call that every browser may make with the web API key. */
export function identityToolkitUrl(
  options: IdentityProviderOptions,
  call: string,
  version: 'v1' | 'v2' = 'v1',
): string {
  const origin = options.emulatorHost
    ? `http://${options.emulatorHost}/identitytoolkit.googleapis.com`
    : 'https://identitytoolkit.googleapis.com';
  return `${origin}/${version}/${call}?key=${encodeURIComponent(options.apiKey)}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const REFUSALS: Record<string, ErrorCode> = {
  'auth/invalid-password': 'password_refused',
  'auth/weak-password': 'password_refused',
  'auth/password-does-not-meet-requirements': 'password_refused',
  'auth/invalid-email': 'email_refused',
};

function providerError(cause: unknown): AppError {
  return new AppError(REFUSALS[codeOf(cause)] ?? 'identity_provider_failed', { cause });
}

/** The provider has said, or this machine knows, that with these credentials nobody gets in. */
export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';
}

/** What the token service answers to a key that it does not know, or that may do nothing. */
const REFUSED_STATUS = new Set([400, 401, 403]);

/**
 * Whether an error of the SDK says that the credentials are no good. A request that did not come
 * through (gaxios' errors have a `config`) says nothing of them, nor does a server in trouble; all other
 * errors come from this machine: there is no key file, or none that can be read.
 */
export function isRefusal(error: unknown): boolean {
  const { status, config } = (error ?? {}) as { status?: unknown; config?: unknown };
  if (typeof status === 'number') return REFUSED_STATUS.has(status);
  return config === undefined;
}
