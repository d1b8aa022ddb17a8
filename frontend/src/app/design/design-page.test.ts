import { readFile } from 'node:fs/promises';
import { build } from 'vite';
import { expect, test, vi } from 'vitest';

const MARKER = 'data-design-state';

test('a production build has no design page', async () => {
  const page = new URL('design-page.tsx', import.meta.url);
  // Otherwise its absence from the build would say nothing.
  expect(await readFile(page, 'utf8')).toContain(MARKER);
  // As the build command sets it; Vitest's own would make a development build.
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({
    root: new URL('../../..', import.meta.url).pathname,
    logLevel: 'silent',
    mode: 'production',
    build: { write: false, minify: false },
  });
  const code = [built]
    .flat()
    .flatMap((one) => ('output' in one ? one.output : []))
    .map((file) => (file.type === 'chunk' ? file.code : ''));
  expect(code.join('\n')).toContain('proveklar.auto-advance');
  expect(code.filter((text) => text.includes(MARKER))).toEqual([]);
});
