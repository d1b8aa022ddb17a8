import { stringify } from 'csv-stringify/sync';
import { CSV_COLUMNS, toCells } from '#questions/csv-format.ts';

const EXAMPLE = {
  language: 'no',
  topic: 'Historie',
  question: 'Når ble Grunnloven underskrevet på Eidsvoll?',
  answer: '17. mai 1814',
  incorrect: ['7. juni 1905', '9. april 1940', '8. mai 1945'],
  explanation: 'Grunnloven ble underskrevet 17. mai 1814. Derfor er 17. mai Norges nasjonaldag.',
  source_url: 'https://www.stortinget.no/',
  checked_at: '2026-01-15',
  group: 'grunnloven-1814',
  tags: ['grunnlov'],
};

/** A file with one question, to be filled in further. CSV begins with a byte-order mark: Excel reads
 * it as UTF-8 only then. */
export function importTemplate(format: 'json' | 'csv'): string {
  if (format === 'json') return `${JSON.stringify([EXAMPLE], null, 2)}\n`;
  return `\uFEFF${stringify([CSV_COLUMNS, toCells(EXAMPLE)])}`;
}
