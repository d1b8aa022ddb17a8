import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shared } from '#support/shared.ts';

const DESIGN_PAGE = new URL('../../frontend/src/app/design/design-page.tsx', import.meta.url);
const MARKER = 'data-design-state';

test('a production build has no design page', async () => {
  // Otherwise its absence from the build would say nothing.
  expect(await readFile(DESIGN_PAGE, 'utf8')).toContain(MARKER);
  const { dir } = await shared<{ dir: string }>('frontend');
  const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.js'));
  const scripts = await Promise.all(
    names.map(async (name) => ({ name, code: await readFile(join(dir, name), 'utf8') })),
  );
  expect(scripts.some(({ code }) => code.includes('proveklar.auto-advance'))).toBe(true);
  expect(scripts.filter(({ code }) => code.includes(MARKER)).map(({ name }) => name)).toEqual([]);
});
