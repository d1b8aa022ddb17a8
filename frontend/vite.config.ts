import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fillSlots } from '@proveklar/contract/page.ts';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ViteBuilder } from 'vite';
import { compressFiles } from './prerender/compress.ts';
import { writePages } from './prerender/write-pages.ts';

/**
 * The component library does not say of itself that an unused component may be left out:
 * with all of them every form would be 38 kB larger, compressed.
 */
const UNUSED_COMPONENTS = { test: /@digdir[/]designsystemet-react/, sideEffects: false };

/**
 * What every page begins with comes in two files instead of two dozen, each of which would cost a
 * request: the packages, which stay the same for weeks, and our own code.
 */
const FILES = [
  { name: 'packages', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'base', tags: ['$initial' as const] },
  // And what the pages behind it have in common: two files instead of twenty.
  {
    name: 'components',
    test: /node_modules[/](@digdir|@u-elements|@navikt|clsx)|frontend[/]src[/](components|lib|theme)[/](?!admin)/,
    minShareCount: 2,
  },
  // So for the learner's screens, but for a quiz itself, which has its own.
  {
    name: 'learner',
    test: /frontend[/]src[/](app[/](?!admin)|features[/](account|auth|profile|purchases|registration|quiz(?![/]run))[/])/,
    minShareCount: 2,
  },
];

const DESIGN_ELEMENTS = resolve(import.meta.dirname, 'src/lib/design-elements.ts');

/**
 * The notices' library writes its styles into the page when it is loaded, which the content security policy
 * forbids. They come as a file instead (components/admin/notices.tsx).
 */
const NOTICES_STYLES = {
  name: 'notices-styles-as-file',
  transform: {
    filter: { id: /node_modules[/]sonner[/]dist[/]index[.]mjs$/ },
    handler(code: string) {
      const without = code.replace(/^__insertCSS\(".*"\);$/m, '');
      if (without === code) throw new Error('sonner writes its styles in another way now');
      return { code: without, map: null };
    },
  },
};

/** The development server sends index.html as it is: there is no build or gateway to fill it in. */
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
  },
  json: { namedExports: false },
  environments: {
    client: {
      build: {
        manifest: true,
        rolldownOptions: {
          output: { codeSplitting: { groups: FILES } },
          treeshake: { moduleSideEffects: [UNUSED_COMPONENTS] },
        },
      },
    },
    // The same sources for Node, which renders the pages with them and then throws them away.
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
  await writePages(outDir, rendererDir);
  await nameOfflineCache(outDir);
  await rm(rendererDir, { recursive: true, force: true });
  await compressFiles(outDir);
}

/**
 * Names the service worker's cache after what it keeps: with each change of the offline page the worker
 * changes too, and is installed again.
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
