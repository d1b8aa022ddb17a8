import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import escapeHtml from 'escape-html';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import {
  type ColourScheme,
  formatKroner,
  HOME,
  NOT_FOUND,
  pageFile,
  type PageName,
  type PageValues,
  PRERENDERED,
  priceWording,
  sellerLine,
  SHELLS,
  SIGN_IN_PAGES,
  themeColour,
} from '@proveklar/contract/page.ts';
import { encodeAll, type Encoded, type Encoding } from './encodings.ts';

/** Who asks, and for what of a page. */
interface PageVisit {
  /** By the browser's hint, which need not be true. */
  seemsSignedIn: boolean;
  query: Readonly<Record<string, unknown>>;
}

/** The built page of a path: its own, the skeleton of its part of the site, or "not found". */
export function pageOf(path: string, { seemsSignedIn, query }: PageVisit): PageName {
  if (Object.hasOwn(PRERENDERED, path)) return PRERENDERED[path as keyof typeof PRERENDERED];
  const wants = (...names: string[]) => names.some((name) => Object.hasOwn(query, name));
  // Another form than the usual one, or a form whose links lead on, is left to the page's code.
  if (!seemsSignedIn && Object.hasOwn(SIGN_IN_PAGES, path) && !wants('mode', 'redirect')) {
    return SIGN_IN_PAGES[path as keyof typeof SIGN_IN_PAGES];
  }
  if (seemsSignedIn && path === '/quiz' && !wants('tab', 'redirect')) return HOME;
  return SHELLS.find((shell) => path === `/${shell}` || isBelow(path, shell)) ?? NOT_FOUND;
}

/** There is nothing below the sign-in page, nor below the sample. */
function isBelow(path: string, shell: (typeof SHELLS)[number]): boolean {
  return shell !== 'login' && shell !== 'smakebit' && path.startsWith(`/${shell}/`);
}

type PageReader = (
  name: PageName,
  wishes: PageWishes,
  config: ConfigResponse,
) => Promise<Record<Encoding, Encoded>>;

/**
 * The pages of a built frontend, filled in and compressed. Each is kept as it is until the
 * configuration that it was filled in with changes.
 *
 * @throws Error when there is no built frontend
 */
export function openPages(frontendDir: string, site: Site): PageReader {
  const folder = join(frontendDir, 'pages');
  const built = new Map(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const ready = new Map<string, { version: string; page: Promise<Record<Encoding, Encoded>> }>();

  return (name, { language, scheme }, config) => {
    const key = `${name} ${language} ${scheme}`;
    const version = JSON.stringify(config);
    const kept = ready.get(key);
    if (kept?.version === version) return kept.page;
    const file = pageFile(name, language, priceWording(config));
    const page = built.get(file);
    if (page === undefined) throw new Error(`The built frontend has no pages/${file}`);
    const encoded = encodeAll(fillPage(page, config, { language, scheme }, site));
    ready.set(key, { version, page: encoded });
    return encoded;
  };
}

/** How a page is asked for: each way is a text of its own. */
interface PageWishes {
  language: AppLanguage;
  scheme: ColourScheme;
}

/** What is the same for all pages of a gateway. */
interface Site {
  publicUrl: string;
  serviceWorker: boolean;
}

/** Fills in what the build left open in a page. */
function fillPage(
  page: string,
  config: ConfigResponse,
  { language, scheme }: PageWishes,
  { publicUrl, serviceWorker }: Site,
): string {
  const values: PageValues = {
    price: escapeHtml(formatKroner(config.price, language)),
    days: String(config.service_days),
    support_email: escapeHtml(config.support_email),
    seller: escapeHtml(sellerLine(config.seller)),
    public_url: escapeHtml(publicUrl),
    // Inside a script element only this character could end it.
    config: JSON.stringify(config).replaceAll('<', String.raw`\u003c`),
    colour_scheme: scheme,
    theme_colour_light: themeColour(scheme, 'light'),
    theme_colour_dark: themeColour(scheme, 'dark'),
    service_worker: String(serviceWorker),
  };
  // In one pass, so that a value which looks like a name stays as it is.
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_open, name: string) => {
    const value = values[name as keyof PageValues];
    if (value === undefined) throw new Error(`A page wants ${name}, which nobody knows`);
    return value;
  });
}
