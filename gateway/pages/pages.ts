import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import escapeHtml from 'escape-html';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import {
  formatDate,
  formatKroner,
  formatQuestionCount,
  hostOf,
} from '@proveklar/contract/formats.ts';
import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import {
  type ColourScheme,
  type ExamSlot,
  fillSlots,
  HOME,
  type LandingFacts,
  NOT_FOUND,
  pageFile,
  type PageName,
  type PageSlots,
  PRERENDERED,
  priceWording,
  type QuestionSlot,
  sellerLine,
  SHELLS,
  SIGN_IN_PAGES,
  SIGNED_IN,
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

/** These have no pages below them. */
const ALONE = new Set<(typeof SHELLS)[number]>([
  'login',
  'smakebit',
  'paminnelser',
  'nyheter',
  'nytt-passord',
]);

function isBelow(path: string, shell: (typeof SHELLS)[number]): boolean {
  return !ALONE.has(shell) && path.startsWith(`/${shell}/`);
}

/** What a page shows of the service, beside its own texts. */
interface PageFacts {
  config: ConfigResponse;
  configIsOld: boolean;
  /** Only for the landing page. */
  landing: LandingFacts | null;
}

type PageReader = (
  name: PageName,
  variant: PageVariant,
  facts: PageFacts,
) => Promise<Record<Encoding, Encoded>>;

/**
 * Opens the pages of a built frontend. A page is filled in, compressed and cached until the facts
 * in it change.
 *
 * @throws Error when there is no built frontend
 */
export function openPages(frontendDir: string, site: Site): PageReader {
  const folder = join(frontendDir, 'pages');
  const built = new Map(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
  const cache = new Map<string, { version: string; page: Promise<Record<Encoding, Encoded>> }>();

  return (name, variant, facts) => {
    const { language, byAddress, scheme, signedIn } = variant;
    const key = `${name} ${language} ${byAddress} ${scheme} ${signedIn}`;
    const version = JSON.stringify(facts);
    const cached = cache.get(key);
    if (cached?.version === version) return cached.page;
    const file = pageFile(name, language, priceWording(facts.config));
    const page = built.get(file);
    if (page === undefined) throw new Error(`The built frontend has no pages/${file}`);
    const values: Partial<Record<string, string>> = { ...slotValues(facts, variant, site) };
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
  /** The landing page has no offers for such a visitor, and their own pages connect to the identity provider. */
  signedIn: boolean;
}

/** Settings that all pages of a gateway share. */
interface Site {
  publicUrl: string;
  serviceWorker: boolean;
}

/** The values of the slots that the build left open. */
function slotValues(facts: PageFacts, variant: PageVariant, site: Site): Partial<PageSlots> {
  const { language, byAddress, scheme, signedIn } = variant;
  const { config, configIsOld, landing } = facts;
  return {
    ...(landing && {
      ...questionSlots(landing),
      ...examSlots(landing, language),
      questions: escapeHtml(formatQuestionCount(landing.questions, language)),
    }),
    price: escapeHtml(formatKroner(config.price, language)),
    days: String(config.service_days),
    support_email: escapeHtml(config.support_email),
    seller: escapeHtml(sellerLine(config.seller)),
    public_url: escapeHtml(site.publicUrl),
    chosen_language: byAddress && language === 'en' ? '?lng=en' : '',
    config: scriptJson(config),
    config_is_old: String(configIsOld),
    landing: scriptJson(landing),
    signed_in: signedIn ? SIGNED_IN : '',
    identity_connections: signedIn ? connectionsTo(config.identity) : '',
    colour_scheme: scheme,
    theme_color_light: themeColour(scheme, 'light'),
    theme_color_dark: themeColour(scheme, 'dark'),
    service_worker: String(site.serviceWorker),
  };
}

/** Google's hosts that know the session and renew its token: both before a page shows anything of the user. */
export const GOOGLE_IDENTITY = [
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
];

/** A phone on a slow network takes half a second for each connection. */
function connectionsTo({ emulator_url: emulator }: ConfigResponse['identity']): string {
  return (emulator === null ? GOOGLE_IDENTITY : [emulator])
    .map((origin) => `<link rel="preconnect" href="${escapeHtml(origin)}" crossorigin>`)
    .join('');
}

/** JSON in a script element, which only "<" could end. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** All are empty without a question: the page then hides the card. */
function questionSlots({ question }: LandingFacts): Record<QuestionSlot, string> {
  const option = (place: number) => escapeHtml(question?.options[place] ?? '');
  return {
    question: escapeHtml(question?.question ?? ''),
    question_language: languageTag(question?.language ?? 'no'),
    option_0: option(0),
    option_1: option(1),
    option_2: option(2),
    option_3: option(3),
  };
}

function examSlots(
  { exams }: LandingFacts,
  language: AppLanguage,
): Partial<Record<ExamSlot, string>> {
  const slots = exams.flatMap((exam) => {
    const facts = {
      questions_shown: exam.questions_shown,
      questions_counted: exam.questions_counted,
      pass_mark: exam.pass_mark,
      minutes: exam.minutes,
      source_url: exam.source_url,
      source_host: hostOf(exam.source_url),
      checked_at: formatDate(`${exam.checked_at}T12:00:00Z`, language),
    };
    return Object.entries(facts).map(([fact, value]) => [
      `${exam.name}_${fact}`,
      escapeHtml(String(value)),
    ]);
  });
  return Object.fromEntries(slots) as Partial<Record<ExamSlot, string>>;
}
