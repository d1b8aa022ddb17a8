import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import escapeHtml from 'escape-html';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import {
  type ColourScheme,
  fillSlots,
  formatKroner,
  HOME,
  NOT_FOUND,
  pageFile,
  type PageName,
  type PageSlots,
  PRERENDERED,
  priceWording,
  sellerLine,
  SHELLS,
  SIGN_IN_PAGES,
  themeColour,
} from '@proveklar/contract/page.ts';
import { encodeAll, type Encoded, type Encoding } from './encodings.ts';

/** A request of a page, as far as it decides which page is sent. */
interface PageVisit {
  /** From a cookie, which may be outdated. */
  seemsSignedIn: boolean;
  query: Readonly<Record<string, unknown>>;
}

/** The built page of a path: its own page, the shell of its part of the site, or "not found". */
export function pageOf(path: string, { seemsSignedIn, query }: PageVisit): PageName {
  if (Object.hasOwn(PRERENDERED, path)) return PRERENDERED[path as keyof typeof PRERENDERED];
  const hasQuery = (...names: string[]) => names.some((name) => Object.hasOwn(query, name));
  // With these parameters the client renders another form than the prerendered one.
  if (!seemsSignedIn && Object.hasOwn(SIGN_IN_PAGES, path) && !hasQuery('mode', 'redirect')) {
    return SIGN_IN_PAGES[path as keyof typeof SIGN_IN_PAGES];
  }
  if (seemsSignedIn && path === '/quiz' && !hasQuery('tab', 'redirect')) return HOME;
  return SHELLS.find((shell) => path === `/${shell}` || isBelow(path, shell)) ?? NOT_FOUND;
}

/** The sign-in page and the sample have no pages below them. */
function isBelow(path: string, shell: (typeof SHELLS)[number]): boolean {
  return shell !== 'login' && shell !== 'smakebit' && path.startsWith(`/${shell}/`);
}

type PageReader = (
  name: PageName,
  variant: PageVariant,
  config: ConfigResponse,
) => Promise<Record<Encoding, Encoded>>;

/**
 * Opens the pages of a built frontend. A page is filled in, compressed and cached until the configuration
 * in it changes.
 *
 * @throws Error when there is no built frontend
 */
export function openPages(frontendDir: string, site: Site): PageReader {
  const folder = join(frontendDir, 'pages');
  const built = new Map(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const cache = new Map<string, { version: string; page: Promise<Record<Encoding, Encoded>> }>();

  return (name, variant, config) => {
    const { language, byAddress, scheme } = variant;
    const key = `${name} ${language} ${byAddress} ${scheme}`;
    const version = JSON.stringify(config);
    const cached = cache.get(key);
    if (cached?.version === version) return cached.page;
    const file = pageFile(name, language, priceWording(config));
    const page = built.get(file);
    if (page === undefined) throw new Error(`The built frontend has no pages/${file}`);
    const values: Partial<Record<string, string>> = { ...slotValues(config, variant, site) };
    const html = fillSlots(page, (slot) => {
      const value = values[slot];
      if (value === undefined) throw new Error(`pages/${file} has the unknown slot {{${slot}}}`);
      return value;
    });
    const encoded = encodeAll(html);
    cache.set(key, { version, page: encoded });
    return encoded;
  };
}

/** What a page is rendered for: each variant is cached separately. */
interface PageVariant {
  language: AppLanguage;
  /** Whether the address names the language, rather than the browser. */
  byAddress: boolean;
  scheme: ColourScheme;
}

/** Settings that all pages of a gateway share. */
interface Site {
  publicUrl: string;
  serviceWorker: boolean;
}

/** The values of the slots that the build left open. */
function slotValues(config: ConfigResponse, variant: PageVariant, site: Site): PageSlots {
  const { language, byAddress, scheme } = variant;
  return {
    price: escapeHtml(formatKroner(config.price, language)),
    days: String(config.service_days),
    support_email: escapeHtml(config.support_email),
    seller: escapeHtml(sellerLine(config.seller)),
    public_url: escapeHtml(site.publicUrl),
    chosen_language: byAddress && language === 'en' ? '?lng=en' : '',
    // Only "<" could end the script element around it.
    config: JSON.stringify(config).replaceAll('<', String.raw`\u003c`),
    colour_scheme: scheme,
    theme_color_light: themeColour(scheme, 'light'),
    theme_color_dark: themeColour(scheme, 'dark'),
    service_worker: String(site.serviceWorker),
  };
}
