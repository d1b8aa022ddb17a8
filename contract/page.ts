import type { ConfigResponse } from './config.ts';
import { type AppLanguage, languageTag } from './language.ts';

// What the build of the frontend, the gateway and the browser agree on about pages: which are built, what is
// filled in when they are asked for, how it is written, and the cookies that choose between them.

/** The pages that are built whole, by path. The value is the name of their files. */
export const PRERENDERED = {
  '/': 'landing',
  '/personvern': 'personvern',
  '/vilkar': 'vilkar',
  '/cookies': 'cookies',
  '/tilgjengelighet': 'tilgjengelighet',
  '/angrerett': 'angrerett',
  '/betalt': 'betalt',
} as const;

/** Each of these, and whatever is below it, depends on who is asking: a skeleton is built. */
export const SHELLS = ['login', 'quiz', 'admin', 'smakebit'] as const;

/** A skeleton that search engines find and people share, like a page of its own. */
export const SHARED_SHELLS = ['smakebit'] as const satisfies (typeof SHELLS)[number][];

/**
 * The pages with a sign-in form, which is built whole: it can be read, and filled in, before any code
 * is there. Whoever seems to be signed in gets the skeleton of the path instead.
 */
export const SIGN_IN_PAGES = { '/login': 'sign-in', '/quiz': 'welcome' } as const;

/** The skeleton of /quiz itself for who seems to be signed in: tabs and cards, without what is theirs. */
export const HOME = 'home';

export const NOT_FOUND = 'not-found';

export type PageName =
  | (typeof PRERENDERED)[keyof typeof PRERENDERED]
  | (typeof SHELLS)[number]
  | (typeof SIGN_IN_PAGES)[keyof typeof SIGN_IN_PAGES]
  | typeof HOME
  | typeof NOT_FOUND;

/**
 * A price is written in other words when it is nothing, when it is for a single day, and when there is
 * no VAT in it.
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
export interface PageSlots {
  price: string;
  days: string;
  support_email: string;
  /** Who sells, on one line; empty until that is known. */
  seller: string;
  /** Where the service is, without a slash at the end. */
  public_url: string;
  /** `?lng=en` where English was chosen by the address and not by the browser, for the canonical address. */
  chosen_language: string;
  /** A ConfigResponse as JSON. */
  config: string;
  /** The colour scheme that was chosen, and the browser's bar in it on a light and on a dark device. */
  colour_scheme: string;
  theme_color_light: string;
  theme_color_dark: string;
  /** `true`, or `false` where the service worker is switched off. */
  service_worker: string;
}

const SLOT = /(?:<!--)?\{\{(\w+)\}\}(?:-->)?/;

/**
 * Fills the slots of a page: `{{name}}` in a text or an attribute, `<!--{{name}}-->` among elements. A value
 * that looks like a slot stays as it is.
 */
export function fillSlots(page: string, valueOf: (name: string) => string): string {
  // Split by a pattern with a group, every second part is a name.
  return page
    .split(SLOT)
    .map((part, n) => (n % 2 === 0 ? part : valueOf(part)))
    .join('');
}

/** Names the file of a page, below `pages/` in the built frontend. */
export function pageFile(name: PageName, language: AppLanguage, wording: PriceWording): string {
  return name === 'landing' ? `${name}.${wording}.${language}.html` : `${name}.${language}.html`;
}

/** The element that carries what the page's code has to know: data, which no policy forbids. */
export const PAGE_DATA_ID = 'page-data';

export interface PageData {
  /** The language that the page is written in. */
  language: AppLanguage;
  /** The path whose content the page has; null for a skeleton. */
  path: string | null;
  /** Whether the page may install the worker that has a page for being offline. */
  service_worker: boolean;
  config: ConfigResponse;
}

/** 149 → "149 kr", 149.5 → "149,50 kr"; "NOK 149" and "NOK 149.50" in the English version. */
export function formatKroner(kroner: number, language: string): string {
  const isEnglish = languageTag(language) === 'en';
  const number = new Intl.NumberFormat(isEnglish ? 'en-GB' : 'nb-NO', {
    minimumFractionDigits: Number.isInteger(kroner) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(kroner);
  return isEnglish ? `NOK\u00a0${number}` : `${number}\u00a0kr`;
}

/**
 * Who sells, on one line: "Prøveklar AS · Org.nr. 923 609 016 MVA · Storgata 1, 0155 Oslo". Empty
 * until an administrator has said it. Norwegian usage in both languages, as for prices.
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
/** Light or dark, or as the device has it. */
export type ColourScheme = (typeof colourSchemes)[number];

/**
 * The cookie that carries what a person chose. A cookie and not the browser's storage, so that the
 * gateway can write it into the page: nothing flashes.
 */
export const COLOUR_SCHEME_COOKIE = 'colour-scheme';

/** What is no choice of ours is left to the device. */
export function toColourScheme(text: string | undefined): ColourScheme {
  return colourSchemes.find((scheme) => scheme === text) ?? 'auto';
}

/** The site's header, which the browser's own bar goes on from (`--pk-surface` in tokens.css). */
const HEADER = { light: '#ffffff', dark: '#13242f' } as const;

/** The colour of the browser's bar on a device that is light, or dark. */
export function themeColour(scheme: ColourScheme, device: 'light' | 'dark'): string {
  return HEADER[scheme === 'auto' ? device : scheme];
}

/**
 * The cookie that a browser keeps while somebody is signed in there. A hint only, which lets nobody in:
 * by it the gateway picks between the sign-in form and a skeleton.
 */
export const SIGNED_IN_COOKIE = 'signed-in';

/** Its only value. */
export const SIGNED_IN = '1';
