/** Who a verified ID token speaks for. It proves neither payment nor ownership of the address. */
export interface VerifiedIdentity {
  /** The identity provider's id of the user. */
  uid: string;
  /** Lower case. */
  email: string;
  emailVerified: boolean;
  /** `password`, `google.com`, … */
  signInProvider: string;
  displayName: string | null;
  /** When they last proved who they are, in milliseconds since 1970: a fresh token may be older. */
  signedInAt: number;
  /** When the token was made: what it says was so then. Milliseconds since 1970. */
  tokenIssuedAt: number;
  /** When the token ends, in milliseconds since 1970: what outlasts a request has to look at it. */
  tokenExpiresAt: number;
}

/**
 * An admin is somebody whom Google vouches for under an admin's address. The address alone says
 * nothing: anyone can sign up under it with a password.
 */
export function isAdmin(identity: VerifiedIdentity, adminEmails: readonly string[]): boolean {
  return (
    identity.emailVerified &&
    identity.signInProvider === 'google.com' &&
    adminEmails.includes(identity.email)
  );
}
