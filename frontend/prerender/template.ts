import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import { PAGE_DATA_ID } from '@proveklar/contract/page.ts';
import escapeHtml from 'escape-html';
import type { Head } from '../src/app/prerender/head.ts';
import type { PageLinks } from './links.ts';

export interface PageParts {
  language: AppLanguage;
  /** Null for a page that has no content of its own. */
  path: string | null;
  /** Where it is found, and shared from; null for a page that is not. */
  address: string | null;
  /** Nothing can be done on it without its code: that is said where scripts do not run. */
  needsScripts: boolean;
  markup: string;
  head: Head;
  links: PageLinks;
}

/** The beginning of a tag that loads code. */
const MODULE = /<script type="module"|<link rel="modulepreload"/g;
const NOTE = '<p style="padding: 1rem; text-align: center">';

/** Puts a page together from what Vite made of index.html. */
export function composePage(template: string, parts: PageParts): string {
  const { language, path, address, head, needsScripts } = parts;
  // React puts preloads (the drawing) before the markup; they help only if they come early.
  const [, preloads = '', content = ''] = /^((?:<link [^>]*>)*)(.*)$/s.exec(parts.markup) ?? [];
  const title = escapeHtml(head.title);
  const description = escapeHtml(head.description);
  const early = [
    preloads,
    ...parts.links.early,
    ...(address === null ? [] : shareTags(address, parts)),
  ];
  const data =
    `{"language":"${language}","path":${JSON.stringify(path)},` +
    `"service_worker":{{service_worker}},"config":{{config}}}`;
  const replacements: [RegExp, string][] = [
    [
      /<html lang="[^"]*" data-color-scheme="[^"]*"/,
      `<html lang="${languageTag(language)}" data-color-scheme="{{colour_scheme}}"`,
    ],
    ...(['light', 'dark'] as const).map((device): [RegExp, string] => [
      new RegExp(
        `(?<=name="theme-color" content=")[^"]*(?=" media="[(]prefers-color-scheme: ${device})`,
      ),
      `{{theme_colour_${device}}}`,
    ]),
    [/<title>[^<]*<\/title>/, `<title>${title}</title>`],
    [/<meta\s+name="description"[^>]*>/, `<meta name="description" content="${description}">`],
    [/(?=\n *<script type="module")/, lines(early)],
    // After the entry's own style sheets, which say in which order the layers come.
    [/(?=\n *<\/head>)/, lines(parts.links.late)],
    [
      /<div id="root"><\/div>/,
      (needsScripts
        ? `<noscript>${NOTE}${escapeHtml(head.withoutScripts)}</p></noscript>\n    `
        : '') +
        `<div id="root">${content}</div>\n` +
        `    <script type="application/json" id="${PAGE_DATA_ID}">${data}</script>`,
    ],
  ];
  const html = replacements.reduce((html, [from, to]) => replaceOnce(html, from, to), template);
  // The page can be read without any of its code: what is painted goes first over a slow line.
  return html.replaceAll(MODULE, '$& fetchpriority="low"');
}

/** Where the page is, in which languages, and how a shared link to it looks. */
function shareTags(path: string, { language, head }: PageParts): string[] {
  // Without a language in the address, somebody whose language we do not know gets Norwegian.
  const address = { no: `{{public_url}}${path}`, en: `{{public_url}}${path}?lng=en` };
  const alternate = (hreflang: string, href: string) =>
    `<link rel="alternate" hreflang="${hreflang}" href="${href}">`;
  const property = (name: string, content: string) =>
    `<meta property="og:${name}" content="${escapeHtml(content)}">`;
  return [
    `<link rel="canonical" href="${address[language]}">`,
    alternate('nb', address.no),
    alternate('en', address.en),
    alternate('x-default', address.no),
    property('type', 'website'),
    property('site_name', 'Prøveklar'),
    property('title', head.title),
    property('description', head.description),
    property('url', address[language]),
    property('locale', language === 'en' ? 'en_GB' : 'nb_NO'),
  ];
}

function lines(tags: readonly string[]): string {
  return tags
    .filter(Boolean)
    .map((tag) => `\n    ${tag}`)
    .join('');
}

function replaceOnce(html: string, from: RegExp, to: string): string {
  if (html.search(from) < 0) throw new Error(`index.html has no ${String(from)}`);
  return html.replace(from, () => to);
}
