import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AppLanguage, languages, languageTag } from '@proveklar/contract/language.ts';
import {
  fillSlots,
  PAGE_DATA_ID,
  type PageName,
  pageFile,
  PRICE_WORDINGS,
} from '@proveklar/contract/page.ts';
import escapeHtml from 'escape-html';
import type { Manifest } from 'vite';
import type * as Renderer from '../src/app/prerender/render-page.tsx';

/** The entries of the browser's build. The landing page has its own, which is smaller. */
const APP_ENTRY = 'index.html';
export const LANDING_ENTRY = 'src/landing.tsx';
/** It belongs to the pages that wait for the session. */
export const EARLY_ENTRY = 'src/early-identity.ts';

/**
 * Writes `pages/` into the built frontend: `index.html` with the content of each page in each language, and
 * slots that the gateway fills. `rendererDir` has the build of the same sources for Node.
 */
export async function writePages(outDir: string, rendererDir: string): Promise<void> {
  const read = (file: string) => readFile(join(outDir, file), 'utf8');
  const template = (await read('index.html'))
    // What Vite has written for its one entry; `assetLinks` writes it for the entry of each page.
    .replaceAll(
      /<(script type="module"|link rel="(modulepreload|stylesheet)")[^>]*>(<\/script>)?/g,
      '',
    )
    .replace('</head>', '<!--{{assets}}-->\n  </head>');
  const manifest = JSON.parse(await read('.vite/manifest.json')) as Manifest;
  const renderer = pathToFileURL(join(rendererDir, 'render-page.js')).href;
  const { renderPage, pagesIn, NOWHERE, SITE, WITHOUT_SCRIPTS } = (await import(
    renderer
  )) as typeof Renderer;

  await mkdir(join(outDir, 'pages'), { recursive: true });
  for (const language of languages) {
    for (const [key, page] of Object.entries(pagesIn(language))) {
      const name = key as PageName;
      const entry = name === 'landing' ? LANDING_ENTRY : APP_ENTRY;
      const { path, skeleton, address } = page;
      // Only the landing page shows the price.
      for (const wording of name === 'landing' ? PRICE_WORDINGS : (['days'] as const)) {
        const markup = await renderPage({ path, skeleton, language, wording });
        // React puts preloads (of the drawing) before the markup; they help only in the head.
        const start = markup.search(/<(?!link )/);
        const title = escapeHtml(`${page.title()} – Prøveklar`);
        const description = escapeHtml(page.description?.() ?? SITE[language]);
        const share = address && shareTags({ address, language, title, description });
        const ownPath = skeleton || path === NOWHERE ? null : path;
        const texts = name === 'landing' ? ['translation'] : ['translation', 'pages'];
        const files = texts.map((file) => `src/texts/${file}.${language}.json`);
        const modules = [...files, ...page.modules];
        const assets = assetLinks(manifest, { ...page, entry, modules });
        await expectStyles(outDir, markup, assets, `${name}.${language}`);
        const slots: Record<string, string> = {
          language_tag: languageTag(language),
          title,
          description,
          head: [markup.slice(0, start), fontLink(manifest), share ?? ''].join('\n    '),
          assets: assets.join('\n    '),
          without_scripts:
            skeleton || page.isForm
              ? `<noscript><p style="padding: 1rem; text-align: center">${WITHOUT_SCRIPTS[language]}</p></noscript>`
              : '',
          content: markup.slice(start),
          page_data: `<script type="application/json" id="${PAGE_DATA_ID}">{"language":"${language}","path":${JSON.stringify(ownPath)},"service_worker":{{service_worker}},"config":{{config}},"config_is_old":{{config_is_old}},"landing":{{landing}}}</script>`,
        };
        const html = fillSlots(template, (slot) => slots[slot] ?? `{{${slot}}}`);
        await writeFile(join(outDir, 'pages', pageFile(name, language, wording)), html);
      }
    }
  }
  // Needed only by the build. A page without content must not be served.
  for (const path of ['index.html', '.vite']) await rm(join(outDir, path), { recursive: true });
}

/** A class of a CSS module, as Vite names it. */
const MODULE_CLASS = /\b_\w+_[\w-]{5}_\d+\b/g;

/** The style sheets of a page must have all classes of its HTML: code that comes later may bring others. */
async function expectStyles(outDir: string, markup: string, links: string[], page: string) {
  const files = links.flatMap((link) => /href="(\/[^"]+[.]css)"/.exec(link)?.[1] ?? []);
  const sheets = await Promise.all(files.map((file) => readFile(join(outDir, file), 'utf8')));
  const known = new Set(sheets.flatMap((sheet) => sheet.match(MODULE_CLASS) ?? []));
  const unknown = (markup.match(MODULE_CLASS) ?? []).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`The page ${page} has no style sheet for ${[...new Set(unknown)].join(', ')}`);
}

interface Shared {
  address: string;
  language: AppLanguage;
  title: string;
  description: string;
}

/** The tags for the canonical address, the languages, and shared links. */
function shareTags({ address, language, title, description }: Shared): string {
  const property = (name: string, content: string) =>
    `<meta property="og:${name}" content="${content}">`;
  return [
    `<link rel="canonical" href="{{public_url}}${address}{{chosen_language}}">`,
    // Without a language in the address, a browser with none of our languages gets Norwegian.
    ...['nb', 'x-default'].map(
      (tag) => `<link rel="alternate" hreflang="${tag}" href="{{public_url}}${address}">`,
    ),
    `<link rel="alternate" hreflang="en" href="{{public_url}}${address}?lng=en">`,
    property('type', 'website'),
    property('site_name', 'Prøveklar'),
    property('title', title),
    property('description', description),
    property('url', `{{public_url}}${address}{{chosen_language}}`),
    property('locale', language === 'en' ? 'en_GB' : 'nb_NO'),
    property('image', '{{public_url}}/share.png'),
    property('image:width', '1200'),
    property('image:height', '630'),
    property('image:alt', 'Prøveklar'),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n    ');
}

/** The preload of the font. */
function fontLink(manifest: Manifest): string {
  const font = [...withImports(manifest, [APP_ENTRY])]
    .flatMap((key) => manifest[key]?.assets ?? [])
    .find((file) => file.startsWith('assets/inter-latin-wght-normal-'));
  if (!font) throw new Error('The build has no font to preload');
  return `<link rel="preload" as="font" type="font/woff2" href="/${font}" crossorigin>`;
}

interface Code {
  entry: string;
  /** What the entry would request only once it runs. */
  modules: string[];
  waitsForSession?: boolean;
}

/**
 * The style sheets and scripts of a page. It can be read without its code, so on a slow connection what is painted is
 * loaded first; where nothing can be read before the session is known, the script that asks for it is next.
 */
function assetLinks(manifest: Manifest, { entry, modules, waitsForSession }: Code): string[] {
  const fileOf = (key: string) => manifest[key]!.file;
  const needed = [...withImports(manifest, [entry, ...modules])];
  const sheets = new Set(needed.flatMap((key) => manifest[key]?.css ?? []));
  const early = waitsForSession ? [...withImports(manifest, [EARLY_ENTRY])] : [];
  const script = (key: string, attributes: string) =>
    `<script type="module" ${attributes} crossorigin src="/${fileOf(key)}"></script>`;
  const preload = (key: string, attributes = '') =>
    `<link rel="modulepreload"${attributes} href="/${fileOf(key)}" crossorigin>`;
  return [
    ...Array.from(sheets, (file) => `<link rel="stylesheet" href="/${file}" crossorigin>`),
    ...(waitsForSession ? ['<!--{{identity_connections}}-->'] : []),
    ...early.map((key) => (key === EARLY_ENTRY ? script(key, 'async') : preload(key))),
    script(entry, 'fetchpriority="low"'),
    ...needed
      .filter((key) => key !== entry && !early.includes(key))
      .map((key) => preload(key, ' fetchpriority="low"')),
  ];
}

/** The modules with all their static imports. */
function withImports(manifest: Manifest, keys: readonly string[], seen = new Set<string>()) {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}`);
    if (seen.has(key)) continue;
    seen.add(key);
    withImports(manifest, chunk.imports ?? [], seen);
  }
  return seen;
}
