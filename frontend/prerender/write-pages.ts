import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  HOME,
  NOT_FOUND,
  type PageName,
  pageFile,
  PRERENDERED,
  PRICE_WORDINGS,
  SHARED_SHELLS,
  SHELLS,
  SIGN_IN_PAGES,
} from '@proveklar/contract/page.ts';
import { languages } from '@proveklar/contract/language.ts';
import type { Manifest } from 'vite';
import type * as Renderer from '../src/app/prerender/render-page.tsx';
import type { RenderOrder } from '../src/app/prerender/render-page.tsx';
import { linksOf } from './links.ts';
import { openValues, STAND_INS } from './stand-ins.ts';
import { composePage } from './template.ts';

/** A path that no link leads to: none must be marked as the current page. */
const NOWHERE = '/not/found';

interface Page {
  name: PageName;
  /** What is rendered. */
  path: string;
  skeleton?: RenderOrder['skeleton'];
  /** Where the page is found and shared from. */
  address?: string;
  /** Whether it can be read but not used while scripts do not run. */
  isForm?: boolean;
}

const isShared = (name: string) => SHARED_SHELLS.some((shared) => shared === name);

const PAGES: Page[] = [
  ...Object.entries(PRERENDERED).map(([path, name]) => ({ name, path, address: path })),
  ...Object.entries(SIGN_IN_PAGES).map(([path, name]) => ({ name, path, isForm: true })),
  ...SHELLS.map((name): Page => ({
    name,
    path: NOWHERE,
    skeleton: 'page',
    ...(isShared(name) && { address: `/${name}` }),
  })),
  { name: HOME, path: '/quiz', skeleton: 'home' },
  { name: NOT_FOUND, path: NOWHERE },
];

/**
 * Writes `pages/` into the built frontend: each page in each language, open where the gateway knows
 * better. `rendererDir` is the build of the same sources for Node.
 */
export async function writePages(outDir: string, rendererDir: string): Promise<void> {
  const read = (file: string) => readFile(join(outDir, file), 'utf8');
  const template = await read('index.html');
  const manifest = JSON.parse(await read('.vite/manifest.json')) as Manifest;
  const renderer = pathToFileURL(join(rendererDir, 'render-page.js')).href;
  const { renderPage, headOf, modulesOf } = (await import(renderer)) as typeof Renderer;

  await mkdir(join(outDir, 'pages'), { recursive: true });
  for (const language of languages) {
    for (const { name, path, skeleton, address, isForm = false } of PAGES) {
      // Only the landing page says what it costs.
      for (const wording of name === 'landing' ? PRICE_WORDINGS : (['days'] as const)) {
        const order = { path, language, skeleton, config: STAND_INS[wording] };
        const markup = openValues(await renderPage(order), language, STAND_INS[wording]);
        const page = composePage(template, {
          language,
          path: skeleton || path === NOWHERE ? null : path,
          address: address ?? null,
          needsScripts: skeleton !== undefined || isForm,
          markup,
          head: headOf(name, language),
          links: linksOf(manifest, modulesOf(name, language)),
        });
        await writeFile(join(outDir, 'pages', pageFile(name, language, wording)), page);
      }
    }
  }
  // What only the build needs: a page without content must not be found and served.
  for (const path of ['index.html', '.vite']) await rm(join(outDir, path), { recursive: true });
}
