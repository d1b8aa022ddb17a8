export type SignedInUser = { uid: string; email: string; displayName: string | null };
