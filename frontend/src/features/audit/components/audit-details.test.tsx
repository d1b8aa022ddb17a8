import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { AuditDetails } from './audit-details.tsx';

test('codes that are kept with an action are said in words', async () => {
  await startTexts('no');
  await loadTexts('admin');
  const textsOf = (details: Record<string, unknown>) =>
    renderToStaticMarkup(<AuditDetails details={details} />).replaceAll(/<[^>]*>/g, ' ');
  expect(textsOf({ state: 'fixed', reports: 2 })).toMatch(
    /Tilstand\s+Rettet\s+Tilbakemeldinger\s+2/,
  );
  expect(textsOf({ fields: ['question', 'answer'] })).toMatch(/Endret\s+Spørsmål · Svar/);
  expect(textsOf({ note: 'fixed' })).toMatch(/Notat\s+fixed/);
});
