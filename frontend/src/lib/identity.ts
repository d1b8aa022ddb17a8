import { initializeApp } from '@firebase/app';
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
} from '@firebase/auth';
import type { ConfigResponse } from '@proveklar/contract/config.ts';

export type SignedInUser = {
  uid: string;
  email: string;
  displayName: string | null;
  /** Whether the user has a password; otherwise they sign in with Google only. */
  hasPassword: boolean;
};

export type Identity = Awaited<ReturnType<typeof createIdentity>>;

function toUser(user: User): SignedInUser {
  return {
    uid: user.uid,
    email: user.email ?? '',
    displayName: user.displayName,
    hasPassword: user.providerData.some(({ providerId }) => providerId === 'password'),
  };
}

/** An unsigned Google identity, which the emulator accepts and the real provider refuses. */
function emulatorCredential(email: string) {
  return GoogleAuthProvider.credential(
    JSON.stringify({ sub: `google-${email}`, email, email_verified: true }),
  );
}

let auth: Auth | undefined;

/** Connects to the identity provider, which is then asked whether the user is still signed in. Once for a page. */
export function openAuth(settings: ConfigResponse['identity']): Auth {
  if (auth) return auth;
  const app = initializeApp({
    apiKey: settings.api_key,
    authDomain: settings.auth_domain,
    projectId: settings.project_id,
  });
  auth = initializeAuth(app, {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  if (settings.emulator_url) {
    connectAuthEmulator(auth, settings.emulator_url, { disableWarnings: true });
  }
  return auth;
}

/** Resolves once the sign-in state is known. */
export async function createIdentity(
  settings: ConfigResponse['identity'],
  onUser: (user: SignedInUser | null) => void,
) {
  const auth = openAuth(settings);
  onAuthStateChanged(auth, (user) => onUser(user ? toUser(user) : null));
  await auth.authStateReady();
  onUser(auth.currentUser ? toUser(auth.currentUser) : null);

  return {
    usesEmulator: settings.emulator_url !== null,
    signIn: (email: string, password: string) => signInWithEmailAndPassword(auth, email, password),
    signInWithGoogle: () =>
      signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver),
    signInWithEmulatedGoogle: (email: string) =>
      signInWithCredential(auth, emulatorCredential(email)),
    signOut: () => signOut(auth),
    /** The changes of the user's own identity, loaded on demand: most users never make one. */
    changes: async () => {
      const { changesOf } = await import('./change-identity.ts');
      const google = settings.emulator_url === null ? null : emulatorCredential;
      return changesOf(auth, google, (user) => onUser(toUser(user)));
    },
    idToken: async (refresh: boolean) => (await auth.currentUser?.getIdToken(refresh)) ?? null,
  };
}
