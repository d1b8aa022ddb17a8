import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fillSlots } from '@proveklar/contract/page.ts';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ViteBuilder } from 'vite';
import { compressFiles } from './prerender/compress.ts';
import { EARLY_ENTRY, LANDING_ENTRY, writePages } from './prerender/write-pages.ts';

/** Served beside the icons: most licences ask for their text in each copy. */
const LICENCES = 'third-party-licences.txt';
/** Packages of which browsers get style sheets and fonts alone; Vite writes the licences of scripts. */
const STYLES = ['@digdir/designsystemet-css', '@fontsource-variable/inter'];

/**
 * The component library does not declare `sideEffects: false`. With its unused components, the code of every
 * form would be 38 kB larger, compressed.
 */
const UNUSED_COMPONENTS = { test: /@digdir[/]designsystemet-react/, sideEffects: false };

/** The modules of a question and its answer, in `features/quiz`. */
const QUESTION =
  'glossary|option-letter|picture|verdict|report|reviewed-answer|question-translation|read-aloud|reasons|kept-sample';

/**
 * Bundles the code that pages start with into a few files instead of dozens of requests: the packages, which
 * stay the same for weeks, and our own code. What only one of the two entries needs is a file of its own.
 */
const FILES = [
  // Otherwise it would be part of the next one, which the landing page does not need.
  { name: 'preload', test: /vite[/]preload-helper/ },
  // Runs before all others (early-identity.ts).
  {
    name: 'identity',
    test: /node_modules[/](@firebase|idb)[/]|src[/]lib[/]identity[.]ts/,
  },
  {
    name: 'packages',
    tags: ['$initial' as const],
    test: /node_modules[/](?!@tanstack[/](?!(react-)?query)|use-sync-external-store)/,
  },
  // The router: the landing page has none.
  { name: 'router', tags: ['$initial' as const], test: /node_modules/ },
  {
    name: 'base',
    tags: ['$initial' as const],
    test: /src[/](?!features[/]landing[/])/,
    minShareCount: 2,
  },
  { name: 'landing', tags: ['$initial' as const], test: /features[/]landing[/]/ },
  // The common code of the pages behind the landing page: two files instead of twenty.
  {
    name: 'components',
    test: /node_modules[/](@digdir|@u-elements|@navikt|clsx)|contract[/](limits|error-codes|consent-texts)|frontend[/]src[/](components|lib|theme)[/](?!admin|card-payment|speech|stop-mails-page|payment-keys)/,
    minShareCount: 2,
  },
  // The same for the learner's pages, except for a running quiz, which has its own file, and questions with their
  // answers, which the home does not show.
  {
    name: 'learner',
    test: new RegExp(
      `frontend/src/(app/(?!admin)|features/(account|profile|purchases|quiz(?!/(run|${QUESTION})\\b))/)|contract/quiz-topics`,
    ),
    minShareCount: 2,
  },
  {
    name: 'question',
    test: new RegExp(`features/quiz/(${QUESTION})\\b|contract/hard-words|lib/speech`),
    minShareCount: 2,
  },
  // What only the way in and paying need: a returning learner loads neither.
  {
    name: 'entrance',
    test: /frontend[/]src[/]features[/](auth|registration)[/]/,
    minShareCount: 2,
  },
  { name: 'paying', test: /frontend[/]src[/]components[/]card-payment[/]/, minShareCount: 2 },
];

const DESIGN_ELEMENTS = resolve(import.meta.dirname, 'src/lib/design-elements.ts');

/**
 * The notices' library inserts its styles into the page when it is loaded, which the content security policy
 * forbids. The portal imports them as a file instead (app/admin/dashboard-route.tsx).
 */
const NOTICES_STYLES = {
  name: 'notices-styles-as-file',
  transform: {
    filter: { id: /node_modules[/]sonner[/]dist[/]index[.]mjs$/ },
    handler(code: string) {
      const without = code.replace(/^__insertCSS\(".*"\);$/m, '');
      if (without === code)
        throw new Error('This version of sonner inserts its styles differently: adapt the plugin');
      return { code: without, map: null };
    },
  },
};

/** Fills the slots of index.html for the development server, which has no build or gateway. */
const EMPTY_PAGE: Plugin = {
  name: 'empty-page',
  apply: 'serve',
  transformIndexHtml: (html) => fillSlots(html, (slot) => (slot === 'colour_scheme' ? 'auto' : '')),
};

export default defineConfig({
  plugins: [react(), NOTICES_STYLES, EMPTY_PAGE],
  resolve: { alias: [{ find: /^@digdir[/]designsystemet-web$/, replacement: DESIGN_ELEMENTS }] },
  build: {
    target: 'es2023',
    // Inlined files would need `data:` in the content security policy for fonts and scripts.
    assetsInlineLimit: 0,
    // Every browser of the target preloads modules.
    modulePreload: { polyfill: false },
  },
  json: { namedExports: false },
  environments: {
    client: {
      build: {
        manifest: true,
        license: { fileName: LICENCES },
        rolldownOptions: {
          input: { index: 'index.html', landing: LANDING_ENTRY, early: EARLY_ENTRY },
          output: { codeSplitting: { groups: FILES } },
          treeshake: { moduleSideEffects: [UNUSED_COMPONENTS] },
          // Otherwise one constant of the contract would make early-identity.ts wait for all packages.
          optimization: { inlineConst: { mode: 'all' } },
          // Reads the forty icons that are used, not all 960.
          experimental: { lazyBarrel: true },
        },
      },
    },
    // A build of the same sources for Node, to prerender the pages; it is deleted afterwards.
    ssr: {
      build: {
        outDir: 'node_modules/.prerender',
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'src/app/prerender/render-page.tsx' },
      },
    },
  },
  builder: { buildApp },
});

async function buildApp(builder: ViteBuilder): Promise<void> {
  const { client, ssr } = builder.environments;
  if (!client || !ssr) throw new Error('There is nothing to build');
  await builder.build(client);
  await builder.build(ssr);
  const [outDir = '', rendererDir = ''] = [client, ssr].map(({ config }) =>
    resolve(config.root, config.build.outDir),
  );
  await appendFile(join(outDir, LICENCES), (await Promise.all(STYLES.map(licenceOf))).join(''));
  await writePages(outDir, rendererDir);
  await nameOfflineCache(outDir);
  await rm(rendererDir, { recursive: true, force: true });
  await compressFiles(outDir);
}

/** A package's section of the file of licences, in the form of Vite's. */
async function licenceOf(name: string): Promise<string> {
  const manifest = findPackageJSON(name, import.meta.url) ?? '';
  const { version, license } = JSON.parse(await readFile(manifest, 'utf8')) as Record<
    string,
    string
  >;
  const text = await readFile(join(dirname(manifest), 'LICENSE'), 'utf8');
  return `\n## ${name} - ${version} (${license})\n\n${text}`;
}

/**
 * Names the service worker's cache after its content, so that the worker changes with the offline page, and
 * is installed again.
 */
async function nameOfflineCache(outDir: string): Promise<void> {
  const read = (file: string) => readFile(join(outDir, file), 'utf8');
  const [page, script, worker] = await Promise.all(
    ['offline.html', 'offline.js', 'sw.js'].map(read),
  );
  const version = createHash('sha256').update(`${page}${script}`).digest('hex').slice(0, 12);
  await writeFile(
    join(outDir, 'sw.js'),
    worker!.replace('offline-development', `offline-${version}`),
  );
}
