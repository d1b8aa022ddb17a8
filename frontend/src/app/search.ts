export type SignInSearch = {
  /** Which form: sign-in is the default. */
  mode?: 'register' | 'reset';
  /** Where the person wanted to go before signing in. */
  redirect?: string;
};

/** Only a path of our own may be a destination: `//other.example` would leave the site. */
export function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

export function validateSignInSearch(search: Record<string, unknown>): SignInSearch {
  return {
    ...(search.mode === 'register' || search.mode === 'reset' ? { mode: search.mode } : {}),
    ...(isOwnPath(search.redirect) ? { redirect: search.redirect } : {}),
  };
}
