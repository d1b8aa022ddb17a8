import { applicationDefault, initializeApp } from 'firebase-admin/app';
import {
  getAuth,
  type Auth,
  type UpdateRequest,
  type UserMetadata,
  type UserRecord,
} from 'firebase-admin/auth';
import pTimeout, { TimeoutError } from 'p-timeout';
import { AppError, type ErrorCode } from '#errors/app-error.ts';
import {
  type IdentityToolkitOptions,
  type PasswordPolicy,
  readPasswordPolicy,
  sendLink,
  TIMEOUT_MS,
} from './identity-toolkit.ts';

/** A failed read is cached as long, so that not every registration waits for the timeout. */
const POLICY_CACHE_MS = 60_000;
const USER_NOT_FOUND = 'auth/user-not-found';

export interface IdentityUser {
  uid: string;
  email: string;
  /** The user has proved ownership of the address: by a mailed link or by signing in with Google. */
  emailVerified: boolean;
  displayName: string | null;
  hasPassword: boolean;
  /** Signs in with Google, perhaps among other ways. */
  hasGoogle: boolean;
  hasSignedIn: boolean;
  /** May not sign in. */
  disabled: boolean;
  /** Null for some very old users. */
  createdAt: Date | null;
  lastSignInAt: Date | null;
  /** When a refresh token was last used. */
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
  /** Chosen by us, so that a retry finds the user of the first attempt. */
  uid: string;
  email: string;
  displayName: string;
  password?: string | undefined;
}

export interface IdentityProvider {
  /**
   * Verifies the credentials of this process: a fault should show at the start, not after a payment.
   *
   * @throws CredentialsRejectedError that says what to set; any other error when there was no answer
   */
  check: () => Promise<void>;
  /** Returns the reason when the user was not created. */
  createUser(user: NewIdentity): Promise<'created' | 'uid_exists' | 'email_exists'>;
  findByUid(uid: string): Promise<IdentityUser | null>;
  findByEmail(email: string): Promise<IdentityUser | null>;
  /** The existing ones of these users, in any order. */
  findUsers(uids: readonly string[]): Promise<IdentityUser[]>;
  /**
   * @param pageSize at most 1000
   * @throws AppError `validation_failed` for an invalid page token
   */
  listUsers(pageSize: number, pageToken?: string): Promise<IdentityPage>;
  /** Disabling also ends the user's sessions. Does nothing when the user does not exist. */
  setDisabled(uid: string, disabled: boolean): Promise<void>;
  /** Does nothing when the user no longer exists. */
  deleteUser(uid: string): Promise<void>;
  /**
   * Null when the provider requires nothing beyond our own rules.
   *
   * @throws when there was no answer
   */
  readPasswordPolicy(): Promise<PasswordPolicy | null>;
  setPassword(uid: string, password: string): Promise<void>;
  /** Sets a password that the user chose by a mailed link, which proves the address too. */
  choosePassword(uid: string, password: string): Promise<void>;
  /** Revokes a user's refresh tokens. Does nothing when the user does not exist. */
  endSessions(uid: string): Promise<void>;
  /** Null removes the name. Does nothing when the user no longer exists. */
  setDisplayName(uid: string, displayName: string | null): Promise<void>;
  /**
   * Makes the provider mail a link to a new address. Opening it changes the user's address. Does nothing
   * for the address of another user, so that the caller does not learn who is registered.
   *
   * @throws AppError `email_refused`, `recent_sign_in_required`
   */
  sendEmailChangeLink(change: EmailChange): Promise<void>;
}

export interface EmailChange {
  /** A token of the user, from a sign-in of the last minutes. */
  idToken: string;
  email: string;
  /** The language of the mail. */
  language: string;
  /** The page to which the link returns. */
  continueUrl: string;
}

export interface IdentityProviderOptions extends IdentityToolkitOptions {
  projectId: string;
}

/**
 * The identity provider on Firebase Auth. Every call may throw AppError `identity_provider_failed`, or
 * `password_refused` or `email_refused` when the provider rejects one.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const app = initializeApp({ projectId: options.projectId }, `identity-${crypto.randomUUID()}`);
  const auth = getAuth(app);
  async function update(uid: string, change: UpdateRequest): Promise<void> {
    await withTimeout(auth.updateUser(uid, change)).catch((error: unknown) => {
      throw providerError(error);
    });
  }
  let policy: { until: number; read: Promise<PasswordPolicy | null> } | undefined;
  return {
    async check() {
      if (options.emulatorHost) return;
      await withTimeout(applicationDefault().getAccessToken()).catch((cause: unknown) => {
        if (cause instanceof TimeoutError || !isRejection(cause)) throw cause;
        const remedy = 'set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account';
        throw new CredentialsRejectedError(`Firebase rejects our credentials: ${remedy}`, {
          cause,
        });
      });
    },
    async createUser({ uid, email, displayName, password }) {
      try {
        const user = { uid, email, displayName, ...(password ? { password } : {}) };
        await withTimeout(auth.createUser(user));
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
      const page = await withTimeout(auth.listUsers(pageSize, pageToken)).catch(
        (error: unknown) => {
          throw codeOf(error) === 'auth/invalid-page-token' ? badPageToken() : providerError(error);
        },
      );
      return { users: page.users.map(toIdentityUser), nextPageToken: page.pageToken ?? null };
    },
    async setDisabled(uid, disabled) {
      await unlessGone(auth.updateUser(uid, { disabled }));
      if (disabled) await unlessGone(auth.revokeRefreshTokens(uid));
    },
    deleteUser: (uid) => unlessGone(auth.deleteUser(uid)),
    readPasswordPolicy() {
      if (!policy || policy.until < Date.now()) {
        policy = { until: Date.now() + POLICY_CACHE_MS, read: readPasswordPolicy(options) };
      }
      return policy.read;
    },
    setPassword: (uid, password) => update(uid, { password }),
    choosePassword: (uid, password) => update(uid, { password, emailVerified: true }),
    endSessions: (uid) => unlessGone(auth.revokeRefreshTokens(uid)),
    setDisplayName: (uid, displayName) => unlessGone(auth.updateUser(uid, { displayName })),
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
 * The SDK has no timeout. A call that succeeds after the timeout is harmless: each call may be repeated.
 *
 * @throws TimeoutError
 */
function withTimeout<T>(call: Promise<T>): Promise<T> {
  const message = `No answer within ${TIMEOUT_MS} ms`;
  return pTimeout(call, { milliseconds: TIMEOUT_MS, message });
}

async function findUser(read: () => Promise<UserRecord>): Promise<IdentityUser | null> {
  try {
    return toIdentityUser(await withTimeout(read()));
  } catch (error) {
    if (codeOf(error) === USER_NOT_FOUND) return null;
    throw providerError(error);
  }
}

/** The provider's limit for one lookup. */
const MAX_LOOKUP_USERS = 100;

async function findUsers(auth: Auth, uids: readonly string[]): Promise<IdentityUser[]> {
  const batches = Array.from({ length: Math.ceil(uids.length / MAX_LOOKUP_USERS) }, (_, n) =>
    uids.slice(n * MAX_LOOKUP_USERS, (n + 1) * MAX_LOOKUP_USERS),
  );
  const lookups = batches.map((batch) => withTimeout(auth.getUsers(batch.map((uid) => ({ uid })))));
  const results = await Promise.all(lookups).catch((error: unknown) => {
    throw providerError(error);
  });
  return results.flatMap(({ users }) => users.map(toIdentityUser));
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  await withTimeout(call).catch((error: unknown) => {
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
    hasGoogle: user.providerData.some((provider) => provider.providerId === 'google.com'),
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

/** The emulator sets the sign-in time of a user we create to the time of creation. */
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const ERROR_CODES: Record<string, ErrorCode> = {
  'auth/invalid-password': 'password_refused',
  'auth/weak-password': 'password_refused',
  'auth/password-does-not-meet-requirements': 'password_refused',
  'auth/invalid-email': 'email_refused',
};

function providerError(cause: unknown): AppError {
  return new AppError(ERROR_CODES[codeOf(cause)] ?? 'identity_provider_failed', { cause });
}

/** The provider rejected the credentials, or the key file is missing or unreadable. */
export class CredentialsRejectedError extends Error {
  override readonly name = 'CredentialsRejectedError';
}

/** The token service's answers to an unknown key, or one without permissions. */
const REJECTED_STATUS = new Set([400, 401, 403]);

/**
 * Whether an error of the SDK means that the credentials are invalid. A failed request (gaxios' errors
 * have a `config`) or a server error proves nothing. All other errors are local: the key file is
 * missing or unreadable.
 */
export function isRejection(error: unknown): boolean {
  const { status, config } = (error ?? {}) as { status?: unknown; config?: unknown };
  if (typeof status === 'number') return REJECTED_STATUS.has(status);
  return config === undefined;
}
