import { toLanguageCode } from '#lib/question-language.ts';

// The router lays what these return over what the address says: a value that is not wanted has to be
// named as undefined, or it comes through.

export type SignInSearch = {
  /** Which form: sign-in is the default. */
  mode?: 'register' | 'reset' | undefined;
  /** Where the person wanted to go before signing in. */
  redirect?: string | undefined;
};

export const HOME_TABS = ['new', 'history', 'account', 'contact'] as const;
export type HomeTab = (typeof HOME_TABS)[number];

export type HomeSearch = SignInSearch & {
  tab?: HomeTab | undefined;
  /** A topic to drill, in place of the first one. */
  topic?: string | undefined;
  /** In which language its questions are. */
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

export type AdminSearch = {
  /** Which of the portal's pages somebody wanted before signing in. */
  redirect?: string | undefined;
};

export function validateAdminSearch({ redirect }: Record<string, unknown>): AdminSearch {
  const isInside = isOwnPath(redirect) && redirect.startsWith('/admin/dashboard');
  return { redirect: isInside ? redirect : undefined };
}

/** What a search field looks for. An address with only digits in it reads as a number. */
export function searchedText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
