import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { PageButtons } from './page-buttons.tsx';

async function labelsOf(page: number, pages: number): Promise<string[]> {
  await startTexts('en');
  await loadTexts('admin');
  const markup = renderToStaticMarkup(
    <PageButtons page={page} pages={pages} onPage={() => undefined} />,
  );
  return Array.from(markup.matchAll(/>([^<>]+)<\/(?:button|li)>/gu), ([, label = '']) => label);
}

test('many pages have seven page buttons, and those to the previous and next page', async () => {
  expect(await labelsOf(25_000, 50_000)).toEqual([
    'Previous',
    '1',
    '…',
    '24999',
    '25000',
    '25001',
    '…',
    '50000',
    'Next',
  ]);
});

test('the first and last page lack one direction, and a single page has no buttons', async () => {
  expect(await labelsOf(1, 3)).toEqual(['1', '2', '3', 'Next']);
  expect(await labelsOf(3, 3)).toEqual(['Previous', '1', '2', '3']);
  expect(await labelsOf(1, 1)).toEqual([]);
});
