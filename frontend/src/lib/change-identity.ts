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
 * What the signed-in user may change of their own identity. Each proves first that it is them, and
 * throws what the identity provider complains of.
 *
 * @param emulated stands in for Google's popup where the emulator runs
 * @param onUser told of the user as they are now
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

  /** Signs in again: the session is then from now. */
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
     * Looks what the provider knows of the user now: their name, or the address that a link has
     * changed. Signs them out where that has ended their session.
     */
    async refresh(): Promise<string> {
      const user = current();
      await user.reload();
      const { claims } = await user.getIdTokenResult();
      // The token has the address too, and it is what the service goes by.
      if (claims.email !== user.email) await user.getIdToken(true);
      onUser(user);
      return user.email ?? '';
    },
  };
}
