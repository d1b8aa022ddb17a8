import type { ConfigResponse } from './config.ts';
import type { AppLanguage } from './language.ts';
import type { Exam, QuizQuestion } from './quiz.ts';
import type { ExamFacts } from './settings.ts';

// Shared by the frontend's build, the gateway and the browser: which pages are prerendered, the slots that are
// filled in on each request, and the cookies that choose between pages.

/** The pages that are prerendered with their content, by path. The value is the name of their files. */
export const PRERENDERED = {
  '/': 'landing',
  '/personvern': 'personvern',
  '/vilkar': 'vilkar',
  '/cookies': 'cookies',
  '/tilgjengelighet': 'tilgjengelighet',
  '/angrerett': 'angrerett',
  '/betalt': 'betalt',
} as const;

/** Paths whose content depends on the user, with everything below them: only a skeleton is prerendered. */
export const SHELLS = [
  'login',
  'quiz',
  'admin',
  'smakebit',
  'paminnelser',
  'nyheter',
  'nytt-passord',
  'skoler',
] as const;

/** Skeletons that search engines index and people share, with metadata of their own. */
export const SHARED_SHELLS = ['smakebit', 'skoler'] as const satisfies (typeof SHELLS)[number][];

/**
 * The pages with a sign-in form. The form is prerendered, so that it can be filled in before any script has
 * loaded. A user who seems to be signed in gets the skeleton of the path instead.
 */
export const SIGN_IN_PAGES = { '/login': 'sign-in', '/quiz': 'welcome' } as const;

/** The skeleton of /quiz for a user who seems to be signed in: tabs and cards, without personal data. */
export const HOME = 'home';

export const NOT_FOUND = 'not-found';

export type PageName =
  | (typeof PRERENDERED)[keyof typeof PRERENDERED]
  | (typeof SHELLS)[number]
  | (typeof SIGN_IN_PAGES)[keyof typeof SIGN_IN_PAGES]
  | typeof HOME
  | typeof NOT_FOUND;

/**
 * The wordings of the price on the landing page: free, for one day or several, with or without VAT.
 */
export const PRICE_WORDINGS = [
  'free',
  'day',
  'days',
  'day-without-vat',
  'days-without-vat',
] as const;
export type PriceWording = (typeof PRICE_WORDINGS)[number];

export function priceWording(config: PriceSettings): PriceWording {
  if (config.price === 0) return 'free';
  const days = config.service_days === 1 ? 'day' : 'days';
  return config.price_includes_vat ? days : `${days}-without-vat`;
}
type PriceSettings = Pick<ConfigResponse, 'price' | 'price_includes_vat' | 'service_days'>;

/** The slots that the build leaves open; the gateway fills them when it serves a page. */
export interface PageSlots extends Record<QuestionSlot | ExamSlot, string> {
  price: string;
  days: string;
  support_email: string;
  /** The seller on one line; empty until an administrator has entered it. */
  seller: string;
  /** How many questions there are to practise, as the page writes it. */
  questions: string;
  /** The public URL of the service, without a trailing slash. */
  public_url: string;
  /** For the canonical URL: `?lng=en` when the URL, not the browser, chose English. */
  chosen_language: string;
  /** The `ConfigResponse` as JSON. */
  config: string;
  /** `true` when `config` could not be read in time, otherwise `false`. */
  config_is_old: string;
  /** The chosen colour scheme, and the browser's theme colour in it on a light and on a dark device. */
  colour_scheme: string;
  theme_color_light: string;
  theme_color_dark: string;
  /** `true`, or `false` when the service worker is switched off. */
  service_worker: string;
  /** `1` for a visitor who seems to be signed in, otherwise empty. */
  signed_in: string;
  /** Links that open the connections to the identity provider. */
  identity_connections: string;
  /** The `LandingFacts` as JSON; null on every other page. */
  landing: string;
}

/** What the landing page shows of the question bank and the exam profiles. */
export interface LandingFacts {
  /** A question of the free sample to answer on the page; null if none fits. */
  question: QuizQuestion | null;
  exams: ExamFacts[];
  /** Questions of the language that learners can practise; at most 10,000 are counted. */
  questions: number;
}

/** The most options that a question on the landing page may have: each has its slot in the page. */
export const TRIED_OPTIONS = 4;

export type QuestionSlot = 'question' | 'question_language' | `option_${0 | 1 | 2 | 3}`;
type ExamFact = 'questions_shown' | 'questions_counted' | 'pass_mark' | 'minutes';
export type ExamSlot = `${Exam}_${ExamFact | 'source_url' | 'source_host' | 'checked_at'}`;

/** The first question of the free sample that has room on the landing page. */
export function questionToTry(sample: readonly QuizQuestion[]): QuizQuestion | null {
  return sample.find(({ options }) => options.length <= TRIED_OPTIONS) ?? null;
}

const SLOT = /(?:<!--)?\{\{(\w+)\}\}(?:-->)?/;

/**
 * Fills the slots of a page: `{{name}}` in a text or an attribute, `<!--{{name}}-->` between elements. A value
 * that looks like a slot is not filled again.
 */
export function fillSlots(page: string, valueOf: (name: string) => string): string {
  // `split` with a group returns text and slot names in turn.
  return page
    .split(SLOT)
    .map((part, n) => (n % 2 === 0 ? part : valueOf(part)))
    .join('');
}

/** The file name of a page, below `pages/` in the built frontend. */
export function pageFile(name: PageName, language: AppLanguage, wording: PriceWording): string {
  return name === 'landing' ? `${name}.${wording}.${language}.html` : `${name}.${language}.html`;
}

/** The element with the data for the page's scripts. It is JSON, which the content security policy allows. */
export const PAGE_DATA_ID = 'page-data';

export interface PageData {
  /** The language of the page. */
  language: AppLanguage;
  /** The path whose content is prerendered in the page; null for a skeleton. */
  path: string | null;
  /** Whether the page may install the service worker, which serves the offline page. */
  service_worker: boolean;
  config: ConfigResponse;
  /** Whether the gateway could not read `config` in time: it is what the gateway knew last. */
  config_is_old: boolean;
  landing: LandingFacts | null;
}

/**
 * The seller on one line: "Prøveklar AS · Org.nr. 923 609 016 MVA · Storgata 1, 0155 Oslo". Empty until an
 * administrator has entered it. In Norwegian form in both languages.
 */
export function sellerLine(seller: ConfigResponse['seller'] | undefined): string {
  if (!seller) return '';
  const { name, organisation_number: number, address, vat_registered: vat } = seller;
  const digits = number?.replaceAll(/\d{3}(?=\d)/gu, '$&\u00a0');
  return [
    name,
    digits && `Org.nr.\u00a0${digits}${vat ? '\u00a0MVA' : ''}`,
    address
      ?.split(/\n/u)
      .map((line) => line.trim())
      .filter(Boolean)
      .join(', '),
  ]
    .filter(Boolean)
    .join(' · ');
}

export const colourSchemes = ['auto', 'light', 'dark'] as const;
/** Light, dark, or that of the device. */
export type ColourScheme = (typeof colourSchemes)[number];

/**
 * The cookie with the chosen colour scheme. It is a cookie and not in the browser's storage, so that the
 * gateway can write it into the page: no flash of the other scheme.
 */
export const COLOUR_SCHEME_COOKIE = 'colour-scheme';

/** Parses a colour scheme; anything else means that of the device. */
export function toColourScheme(text: string | undefined): ColourScheme {
  return colourSchemes.find((scheme) => scheme === text) ?? 'auto';
}

/** The colours of the site's header, also for the browser's bar (`--pk-surface` in tokens.css). */
const HEADER = { light: '#ffffff', dark: '#13242f' } as const;

/** The colour of the browser's bar (`theme-color`) on a light or dark device. */
export function themeColour(scheme: ColourScheme, device: 'light' | 'dark'): string {
  return HEADER[scheme === 'auto' ? device : scheme];
}

/**
 * The cookie that a browser has while a user is signed in. It is only a hint and grants no access: the gateway
 * uses it to choose between the sign-in form and a skeleton.
 */
export const SIGNED_IN_COOKIE = 'signed-in';

/** Its only value. */
export const SIGNED_IN = '1';
