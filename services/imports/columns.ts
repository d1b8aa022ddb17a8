import { CSV_COLUMNS, REQUIRED_COLUMNS } from '#questions/csv-format.ts';

// Which field each column of a table has, by its heading.

/** The column with the reasons in a file of rejected rows. It is not read. */
const REASON_COLUMN = 'rejected_because';

/** Names that people give the columns, in Norwegian and English; `1` stands for the number of a wrong answer. */
const NAMES: Record<string, readonly string[]> = {
  language: ['språk', 'språkkode', 'målform', 'lang', 'language code'],
  topic: ['tema', 'emne', 'kategori', 'category', 'subject'],
  question: ['spørsmål', 'spørsmålet', 'spørsmålstekst', 'oppgave', 'question text'],
  answer: [
    'svar',
    'riktig svar',
    'rett svar',
    'riktig',
    'fasit',
    'svaret',
    'correct',
    'correct answer',
    'right answer',
    'key',
  ],
  incorrect_1: [
    'galt svar 1',
    'gale svar 1',
    'feil svar 1',
    'feilsvar 1',
    'galt 1',
    'feil 1',
    'galt alternativ 1',
    'distraktor 1',
    'wrong answer 1',
    'wrong 1',
    'incorrect 1',
    'incorrect answer 1',
    'distractor 1',
  ],
  incorrect_reason_1: [
    'hvorfor galt 1',
    'hvorfor galt svar 1',
    'hvorfor feil 1',
    'begrunnelse 1',
    'begrunnelse galt svar 1',
    'why wrong 1',
    'reason 1',
  ],
  explanation: ['forklaring', 'begrunnelse', 'utdyping', 'rationale'],
  source_url: [
    'kilde',
    'kilde url',
    'kildeadresse',
    'nettadresse',
    'lenke',
    'lenke til kilden',
    'url',
    'source',
    'link',
  ],
  source_title: ['kildetittel', 'kildenavn', 'navn på kilden', 'source name'],
  checked_at: [
    'sjekket',
    'sist sjekket',
    'kontrollert',
    'dato',
    'sjekket dato',
    'checked',
    'last checked',
    'date',
  ],
  valid_from: ['gjelder fra', 'gyldig fra', 'valid since'],
  ages: ['sjekkes på nytt', 'utløper', 'foreldes', 'foreldes i', 'år', 'check again', 'year'],
  group: ['gruppe', 'oversettelsesgruppe', 'translation group'],
  excludes: ['utelukker', 'ikke sammen med'],
  tags: ['stikkord', 'merkelapper', 'emneord', 'tagger', 'keywords', 'labels'],
  image: ['bilde', 'picture'],
  image_alt: ['bildetekst', 'alternativ tekst', 'alt tekst', 'alt text', 'picture text'],
  areas: ['områder', 'felter i bildet'],
  uuid: ['id', 'spørsmåls id'],
  [REASON_COLUMN]: ['årsak', 'avvist fordi', 'hvorfor avvist', 'reason', 'rejected because'],
};

/** Without capital letters, signs and marks of the alphabet other than those of Norwegian letters. */
function fold(heading: string): string {
  return heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const FIELDS = new Map<string, string>();
for (const field of [...CSV_COLUMNS, REASON_COLUMN]) {
  FIELDS.set(fold(field), field);
  const [, stem, number] = /^(incorrect|incorrect_reason)_(\d)$/.exec(field) ?? [];
  const names = NAMES[stem ? `${stem}_1` : field] ?? [];
  for (const name of names) FIELDS.set(fold(number ? name.replace('1', number) : name), field);
}
// One wrong answer may have no number.
for (const name of NAMES.incorrect_1!) FIELDS.set(fold(name.replace(' 1', '')), 'incorrect_1');

/** The field of a heading; null when it is not recognised. */
function fieldOf(heading: string): string | null {
  return FIELDS.get(fold(heading)) ?? null;
}

/** The columns of a table. */
export interface Columns {
  /** As they stand in the file. */
  headings: string[];
  /** The field of each column, of `CSV_COLUMNS` or `REASON_COLUMN`; null for one that is not read. */
  fields: (string | null)[];
}

/** Why the columns cannot be used. */
export interface ColumnFault {
  missing: string[];
  /** Headings that are no field, or the field of an earlier one. */
  unknown: string[];
}

/**
 * Finds the field of each column.
 *
 * @param chosen what the sender says instead: a field or '' for each column
 */
export function readColumns(
  headings: readonly string[],
  chosen?: readonly string[] | null,
): { columns: Columns; fault: ColumnFault | null } {
  const unknown: string[] = [];
  const seen = new Set<string>();
  const fields = headings.map((heading, place) => {
    const field = chosen ? chosen[place] || null : fieldOf(heading);
    const isUsable = field !== null && isField(field) && !seen.has(field);
    // An empty heading at the end of a line is a column without content.
    if (!isUsable && !(heading.trim() === '' || (chosen && field === null))) unknown.push(heading);
    if (isUsable) seen.add(field);
    return isUsable ? field : null;
  });
  const missing = REQUIRED_COLUMNS.filter((name) => !seen.has(name));
  const columns = { headings: [...headings], fields };
  const isFaulty = missing.length > 0 || unknown.length > 0;
  return { columns, fault: isFaulty ? { missing, unknown } : null };
}

const isField = (name: string) =>
  name === REASON_COLUMN || CSV_COLUMNS.some((column) => column === name);

/** The cells of a row by their fields, without those that are not read. */
export function cellsByField(
  { fields }: Columns,
  cells: readonly string[],
): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [place, field] of fields.entries()) {
    const cell = cells[place];
    if (field !== null && field !== REASON_COLUMN && cell !== undefined) named[field] = cell;
  }
  return named;
}
