export type SignedInUser = {
  uid: string;
  email: string;
  displayName: string | null;
  /** Signs in with a password; otherwise with Google alone. */
  hasPassword: boolean;
};
