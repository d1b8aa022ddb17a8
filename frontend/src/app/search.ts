export type SignInSearch = {
  /** Which form: sign-in is the default. */
  mode?: 'register' | 'reset';
  /** Where the person wanted to go before signing in. */
  redirect?: string;
};

const HOME_TABS = ['new', 'history', 'account', 'contact'] as const;
export type HomeTab = (typeof HOME_TABS)[number];

export type HomeSearch = SignInSearch & { tab?: HomeTab };

export function isHomeTab(value: unknown): value is HomeTab {
  return HOME_TABS.some((tab) => tab === value);
}

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

export function validateHomeSearch(search: Record<string, unknown>): HomeSearch {
  return { ...validateSignInSearch(search), ...(isHomeTab(search.tab) ? { tab: search.tab } : {}) };
}

export type AdminSearch = {
  /** Which of the portal's pages somebody wanted before signing in. */
  redirect?: string;
};

export function validateAdminSearch({ redirect }: Record<string, unknown>): AdminSearch {
  const isInside = isOwnPath(redirect) && redirect.startsWith('/admin/dashboard');
  return isInside ? { redirect } : {};
}
