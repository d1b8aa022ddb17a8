import {
  type Auth,
  type AuthCredential,
  browserPopupRedirectResolver,
  EmailAuthProvider,
  GoogleAuthProvider,
  reauthenticateWithCredential,
  reauthenticateWithPopup,
  type User,
} from '@firebase/auth';

/**
 * The changes that the signed-in user may make to their own identity. Each asks for a recent sign-in
 * first, and throws the identity provider's errors.
 *
 * @param emulated replaces Google's popup with the emulator
 * @param onUser called with the changed user
 */
export function changesOf(
  auth: Auth,
  emulated: ((email: string) => AuthCredential) | null,
  onUser: (user: User) => void,
) {
  function current(): User {
    if (!auth.currentUser) throw new Error('No user logged in');
    return auth.currentUser;
  }

  /** Signs in again, which makes the sign-in recent. */
  async function confirmPassword(password: string): Promise<void> {
    const user = current();
    const credential = EmailAuthProvider.credential(user.email ?? '', password);
    await reauthenticateWithCredential(user, credential);
  }

  return {
    confirmPassword,
    async confirmGoogle(): Promise<void> {
      const user = current();
      const google = user.providerData.find(({ providerId }) => providerId === 'google.com');
      if (emulated) await reauthenticateWithCredential(user, emulated(google?.email ?? ''));
      else {
        const provider = new GoogleAuthProvider();
        await reauthenticateWithPopup(user, provider, browserPopupRedirectResolver);
      }
    },
    /**
     * Reads the user from the provider: the name, or an address that a mailed link has changed. Signs the
     * user out if that has ended the session.
     */
    async refresh(): Promise<string> {
      const user = current();
      await user.reload();
      const { claims } = await user.getIdTokenResult();
      // The API reads the address from the token.
      if (claims.email !== user.email) await user.getIdToken(true);
      onUser(user);
      return user.email ?? '';
    },
  };
}
