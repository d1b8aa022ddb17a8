import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLanguage, languages, languageTag } from '@proveklar/contract/language.ts';

interface OfflineTexts {
  title: string;
  text: string;
  kept: string;
  retry: string;
}

// Only this page shows them, and it is there when nothing can be loaded: they are no i18n keys.
const texts: Record<AppLanguage, OfflineTexts> = {
  no: {
    title: 'Du er uten nett',
    text: 'Siden kommer tilbake av seg selv når du får nett igjen.',
    kept: 'Svar du allerede har gitt, er tatt vare på her. Vi sender dem når du har nett.',
    retry: 'Prøv igjen',
  },
  en: {
    title: 'You are offline',
    text: 'The page comes back by itself when you are online again.',
    kept: 'Answers that you have already given are kept here. We send them when you are online.',
    retry: 'Try again',
  },
};

/** The worker's name for what it keeps, in frontend/public/sw.js. */
const NAME = 'offline-development';

/**
 * Writes the page for being offline, which needs nothing but its script: both languages are in it,
 * because only the browser knows then which one was chosen. The worker gets a new name for its cache
 * with each change of it, and is thereby installed anew.
 */
export async function writeOffline(outDir: string): Promise<void> {
  const page = offlinePage();
  const script = `${await readFile(join(outDir, 'offline.js'), 'utf8')}\n${addStyles()}`;
  const worker = await readFile(join(outDir, 'sw.js'), 'utf8');
  if (!worker.includes(NAME)) throw new Error(`sw.js does not name ${NAME}`);
  const version = createHash('sha256').update(page).update(script).digest('hex').slice(0, 12);
  await writeFile(join(outDir, 'offline.html'), page);
  await writeFile(join(outDir, 'offline.js'), script);
  await writeFile(join(outDir, 'sw.js'), worker.replace(NAME, `offline-${version}`));
}

/** The content security policy lets a page have no style of its own, but its script may make one. */
function addStyles(): string {
  return `const sheet = new CSSStyleSheet();
sheet.replaceSync(${JSON.stringify(STYLE.replaceAll(/\s+/g, ' '))});
document.adoptedStyleSheets = [sheet];
`;
}

function offlinePage(): string {
  return `<!doctype html>
<html lang="nb" data-color-scheme="auto">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${texts.no.title} – Prøveklar</title>
    <script src="/offline.js"></script>
  </head>
  <body>
${languages.map((language) => section(languageTag(language), texts[language])).join('\n')}
  </body>
</html>
`;
}

function section(tag: string, { title, text, kept, retry }: OfflineTexts): string {
  return `    <main lang="${tag}">
      <svg viewBox="0 0 240 120" aria-hidden="true"><circle cx="176" cy="34" r="16" fill="#f0a13c"/><path d="M0 104 62 40l34 34 44-56 100 86Z" fill="currentColor" opacity=".28"/><path d="M0 104h240v3H0zM30 113h88v3H30zM150 113h54v3h-54z" fill="currentColor"/></svg>
      <h1>${title}</h1>
      <p>${text}</p>
      <p>${kept}</p>
      <a href="">${retry}</a>
    </main>`;
}

// The colours of the theme; the page has no other style sheet.
const DARK = '--page:#0b1720;--text:#d5dde2;--head:#cfe6f4;--mark:#86c5e8;--on-mark:#06202f';
const STYLE = `
      :root { color-scheme: light; --page:#f6f8f9; --text:#262c31; --head:#092e43; --mark:#0f4a6b; --on-mark:#fff; }
      @media (prefers-color-scheme: dark) { :root:not([data-color-scheme='light']) { color-scheme: dark; ${DARK} } }
      :root[data-color-scheme='dark'] { color-scheme: dark; ${DARK} }
      body { margin: 0; min-height: 100dvh; display: grid; align-content: center; background: var(--page); color: var(--text);
        font: 1.0625rem/1.55 Inter, system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
      main { box-sizing: border-box; width: 100%; max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; text-align: center; overflow-wrap: break-word; }
      html[lang=nb] main:lang(en), html[lang=en] main:lang(nb) { display: none; }
      svg { width: 15rem; max-width: 100%; color: var(--mark); }
      h1 { margin: 1.5rem 0 0; color: var(--head); font-size: clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem); line-height: 1.15; letter-spacing: -0.02em; }
      p { margin: 1rem 0 0; text-wrap: pretty; }
      a { display: inline-block; margin-top: 2rem; padding: 0.75rem 1.5rem; border-radius: 8px; background: var(--mark); color: var(--on-mark); font-weight: 500; text-decoration: none; }
      a:focus-visible { outline: 3px solid var(--text); outline-offset: 3px; }
    `;
