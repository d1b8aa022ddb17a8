import { randomBytes } from 'node:crypto';

/** A signed-in user, as the emulator returns it. */
export interface SignedIn {
  uid: string;
  email: string;
  idToken: string;
  refreshToken: string;
}

export interface GoogleClaims {
  email: string;
  /** Google's id of the person; derived from the address by default. */
  sub?: string;
  name?: string;
  emailVerified?: boolean;
}

interface TokenAnswer {
  localId: string;
  email: string;
  idToken: string;
  refreshToken: string;
}

const ADMIN = { authorization: 'Bearer owner' };

/** A client of the emulator's REST API, with the rights of a browser or of an administrator. */
export class TestIdentity {
  readonly url: string;
  readonly projectId: string;

  constructor(url: string, projectId: string) {
    this.url = url;
    this.projectId = projectId;
  }

  /** As in FIREBASE_AUTH_EMULATOR_HOST. */
  get host(): string {
    return new URL(this.url).host;
  }

  /** Registers with a password; the address is new unless given. */
  async createPasswordUser(
    email = uniqueEmail(),
    password = 'a password 123',
  ): Promise<SignedIn & { password: string }> {
    const answer = await this.#client('accounts:signUp', { email, password });
    return { ...answer, password };
  }

  signInWithPassword(email: string, password: string): Promise<SignedIn> {
    return this.#client('accounts:signInWithPassword', { email, password });
  }

  /** Signs in by Google, with unsigned claims: the emulator accepts them. */
  signInWithGoogle({ email, sub, name, emailVerified = true }: GoogleClaims): Promise<SignedIn> {
    const subject = sub ?? `google-${email}`;
    const claims = { sub: subject, email, email_verified: emailVerified, name: name ?? email };
    return this.#client('accounts:signInWithIdp', {
      postBody: new URLSearchParams({
        providerId: 'google.com',
        id_token: JSON.stringify(claims),
      }).toString(),
      requestUri: 'http://localhost',
      returnSecureToken: true,
      returnIdpCredential: true,
    });
  }

  /** The uid of a token's user; undefined once the user's sessions were ended. */
  async uidOf(idToken: string): Promise<string | undefined> {
    const path = 'identitytoolkit.googleapis.com/v1/accounts:lookup?key=local';
    const answer = await this.#call(path, { idToken });
    return (answer as { users?: { localId: string }[] }).users?.[0]?.localId;
  }

  /** The user as an administrator sees it, or undefined. */
  async findUser(
    email: string,
  ): Promise<({ localId: string } & Record<string, unknown>) | undefined> {
    const answer = await this.#call(
      `identitytoolkit.googleapis.com/v1/projects/${this.projectId}/accounts:lookup`,
      { email: [email] },
      ADMIN,
    );
    return (answer as { users?: ({ localId: string } & Record<string, unknown>)[] }).users?.[0];
  }

  /** The codes in the mails that a real project would have sent, newest last. */
  async mailedCodes(email: string): Promise<{ requestType: string; oobCode: string }[]> {
    const codes = await this.allMailedCodes();
    return codes.filter((code) => code.email === email.toLowerCase());
  }

  /** The same for all addresses. */
  async allMailedCodes(): Promise<{ email: string; requestType: string; oobCode: string }[]> {
    const path = `emulator/v1/projects/${this.projectId}/oobCodes`;
    const response = await fetch(`${this.url}/${path}`, { headers: ADMIN });
    const { oobCodes = [] } = (await response.json()) as {
      oobCodes?: { email: string; requestType: string; oobCode: string }[];
    };
    return oobCodes;
  }

  /** Makes the provider mail a code, as any browser may. */
  async requestPasswordReset(email: string): Promise<void> {
    const path = 'identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=local';
    await this.#call(path, { requestType: 'PASSWORD_RESET', email });
  }

  /** Sets a new password with a mailed code. */
  async resetPassword(oobCode: string, newPassword: string): Promise<void> {
    const path = 'identitytoolkit.googleapis.com/v1/accounts:resetPassword?key=local';
    await this.#call(path, { oobCode, newPassword });
  }

  /** Marks the address as verified, as the mailed link does. */
  async verifyEmail(localId: string): Promise<void> {
    const path = `identitytoolkit.googleapis.com/v1/projects/${this.projectId}/accounts:update`;
    await this.#call(path, { localId, emailVerified: true }, ADMIN);
  }

  /** Gives a user another, verified address and ends their sessions, as the mailed link does. */
  async changeEmail(localId: string, email: string): Promise<void> {
    const path = `identitytoolkit.googleapis.com/v1/projects/${this.projectId}/accounts:update`;
    // Tokens issued within the same second would stay valid.
    const validSince = String(Math.floor(Date.now() / 1000) + 1);
    await this.#call(path, { localId, email }, ADMIN);
    await this.#call(path, { localId, emailVerified: true, validSince }, ADMIN);
  }

  async deleteUser(localId: string): Promise<void> {
    const path = `identitytoolkit.googleapis.com/v1/projects/${this.projectId}/accounts:delete`;
    await this.#call(path, { localId }, ADMIN);
  }

  async #client(action: string, body: Record<string, unknown>): Promise<SignedIn> {
    const path = `identitytoolkit.googleapis.com/v1/${action}?key=local`;
    const answer = await this.#call(path, { ...body, returnSecureToken: true });
    const { localId, email, idToken, refreshToken } = answer as TokenAnswer;
    return { uid: localId, email, idToken, refreshToken };
  }

  async #call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`${this.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { error?: { message: string } };
    // The emulator's own error code, such as EMAIL_EXISTS.
    if (!response.ok) throw new Error(answer.error?.message ?? String(response.status));
    return answer;
  }
}

/** Changes the claims of a token: the emulator's tokens are not signed. */
export function withClaims(token: string, change: object): string {
  const [head = '', body = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url');
  return `${head}.${changed}.`;
}

/** An address that no other test uses: all test files share one emulator. */
export function uniqueEmail(): string {
  return `test-${randomBytes(6).toString('hex')}@example.no`;
}
