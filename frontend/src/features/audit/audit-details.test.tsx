import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { AuditDetails, readChanges, readFacts, shortId, toCell } from './audit-details.tsx';

test('codes in the details of an action are shown as texts', async () => {
  await startTexts('no');
  await loadTexts('admin');
  const textsOf = (details: Record<string, unknown>) =>
    renderToStaticMarkup(<AuditDetails details={details} />).replaceAll(/<[^>]*>/g, ' ');
  expect(textsOf({ state: 'fixed', reports: 2 })).toMatch(
    /Tilstand\s+Rettet\s+Tilbakemeldinger\s+2/,
  );
  expect(textsOf({ fields: ['question', 'answer'] })).toMatch(/Endret\s+Spørsmål · Svar/);
  expect(textsOf({ changes: { role: { before: 'editor', after: null } } })).toMatch(
    /Rolle\s+før:\s+Redaktør\s+→\s+, nå:\s+ikke satt/,
  );
  expect(textsOf({ row: 1200, decision: 'add' })).toMatch(
    /Rad\s+1200\s+Avgjørelse\s+Lagt til som nytt spørsmål/,
  );
  expect(textsOf({ checked_at: '2026-03-14', languages: ['no', 'uk'] })).toMatch(
    /Kontrollert\s+14\. mars 2026\s+Språk\s+Norsk · Ukrainsk/,
  );
  expect(textsOf({ filter: { action: 'user.disabled' } })).toMatch(
    /Handling: Deaktiverte brukeren …/,
  );
  expect(textsOf({ note: 'fixed' })).toMatch(/Notat\s+fixed/);
  expect(textsOf({ filter: { state: 'all', topic: 'Historie' } })).toMatch(
    /Filter\s+Tilstand: Alle · Tema: Historie/,
  );
});

test('changes are separated from other details', () => {
  const details = { changes: { price: { before: 149, after: 0 } }, reports: 0, dry_run: false };
  expect(readChanges(details)).toEqual([{ field: 'price', before: 149, after: 0 }]);
  expect(readFacts(details)).toEqual([{ field: 'reports', value: 0 }]);
});

test('details with an unknown shape are ignored', () => {
  expect(readChanges({ changes: ['price'] })).toEqual([]);
  expect(readChanges({ changes: { price: 149 } })).toEqual([]);
  expect(readFacts({})).toEqual([]);
});

test('a uuid is shortened to its end, and other subjects are unchanged', () => {
  expect(shortId('019bc0e1-6b30-7d52-8f14-2c9a7e5b0d43')).toBe('7e5b0d43');
  expect(['kari@example.no', '42', '…'].map(shortId)).toEqual(['kari@example.no', '42', '…']);
});

test('a cell of the file is quoted, and never runs as a formula', () => {
  expect(toCell('Ga "7" dager; til alle')).toBe('"Ga ""7"" dager; til alle"');
  expect(['=1+1', '-2', '@x', "'=1"].map(toCell)).toEqual([`"'=1+1"`, `"'-2"`, `"'@x"`, `"''=1"`]);
});
