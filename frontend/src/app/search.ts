import { toLanguageCode } from '#lib/question-language.ts';

// The router merges the results of these functions over the parsed search, so a value must be set to
// undefined to be removed.

export type SignInSearch = {
  /** Which form: sign-in is the default. */
  mode?: 'register' | 'reset' | undefined;
  /** The page that the user asked for before signing in. */
  redirect?: string | undefined;
};

export const HOME_TABS = ['new', 'history', 'account', 'contact'] as const;
export type HomeTab = (typeof HOME_TABS)[number];

export type HomeSearch = SignInSearch & {
  tab?: HomeTab | undefined;
  /** A topic to drill, in place of the first one. */
  topic?: string | undefined;
  /** The language of its questions. */
  language?: string | undefined;
};

export function isHomeTab(value: unknown): value is HomeTab {
  return HOME_TABS.some((tab) => tab === value);
}

/** Only a path of our own may be a destination: `//other.example` would leave the site. */
export function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}

export function validateSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { mode, redirect } = search;
  return {
    mode: mode === 'register' || mode === 'reset' ? mode : undefined,
    redirect: isOwnPath(redirect) ? redirect : undefined,
  };
}

export function validateHomeSearch(search: Record<string, unknown>): HomeSearch {
  const { tab, topic, language } = search;
  return {
    ...validateSignInSearch(search),
    tab: isHomeTab(tab) ? tab : undefined,
    topic: searchedText(topic),
    language: toLanguageCode(language),
  };
}

export type StopSearch = {
  /** From the link in a reminder or in news. */
  token?: string | undefined;
};

export const validateStopSearch = ({ token }: Record<string, unknown>): StopSearch => ({
  token: typeof token === 'string' && token !== '' ? token : undefined,
});

export type ReturnSearch = {
  /** What a bank or wallet adds to the address of the return. */
  payment_intent?: string | undefined;
  payment_intent_client_secret?: string | undefined;
  redirect_status?: string | undefined;
};

export function validateReturnSearch(search: Record<string, unknown>): ReturnSearch {
  return {
    payment_intent: searchedText(search.payment_intent),
    payment_intent_client_secret: searchedText(search.payment_intent_client_secret),
    redirect_status: searchedText(search.redirect_status),
  };
}

export type AdminSearch = {
  /** The page of the portal that the administrator asked for before signing in. */
  redirect?: string | undefined;
};

export function validateAdminSearch({ redirect }: Record<string, unknown>): AdminSearch {
  const isInside = isOwnPath(redirect) && redirect.startsWith('/admin/dashboard');
  return { redirect: isInside ? redirect : undefined };
}

/** The term of a search field. The router parses digits alone as a number. */
export function searchedText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
