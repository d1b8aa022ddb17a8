import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** Parts of components that we do not use. */
const LEFT_OUT = [
  'breadcrumbs',
  'clickdelegatefor',
  'details',
  'error-summary',
  'popover',
  'suggestion',
  'tooltip',
];

const partsOf = (code: string, pattern: RegExp) =>
  Array.from(code.matchAll(pattern), ([, part]) => part?.replace(/^ds-/, ''));

test('every part of the library is loaded, or left out on purpose', async () => {
  const library = await readFile(
    new URL(import.meta.resolve('@digdir/designsystemet-web')),
    'utf8',
  );
  const ours = await readFile(new URL('design-elements.ts', import.meta.url), 'utf8');
  const loaded = partsOf(ours, /'@digdir\/designsystemet-web\/([\w-]+)'/g);
  const whole = partsOf(library, /["']\.\/([\w-]+)\/[\w-]+\.js["']/g);
  expect(new Set([...loaded, ...LEFT_OUT])).toEqual(new Set(whole));
});
