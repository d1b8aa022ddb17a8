import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import {
  BANK_GLOSSARY,
  type ApplyBankGlossaryResponse,
  type GlossaryFault,
  type UndoGlossaryResponse,
} from '@proveklar/contract/glossary.ts';
import { MAX_GLOSSARY_ENTRIES } from '@proveklar/contract/limits.ts';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  BYTE_ORDER_MARK,
  EXCEL_CSV,
  guardCell,
  parseHeader,
  unguardCell,
  VALUE_SEPARATOR,
} from '#csv/csv.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import {
  differences,
  faultOf,
  type GlossaryContent,
  type GlossaryEntry,
  keyOf,
  lockGlossary,
  readGlossary,
  saveEntries,
  tidyContent,
} from './glossary.ts';

// The glossary as a CSV file.

const COLUMNS = ['word', 'forms', 'norwegian', 'english'] as const;
const REQUIRED = ['word', 'norwegian', 'english'];

/** The whole glossary as a file that an import accepts. The export is recorded. */
export async function exportGlossary(db: Database, actor: Actor): Promise<string> {
  return withTransaction(db, async (tx) => {
    const entries = await readGlossary(tx);
    await recordAction(tx, {
      actor,
      action: 'glossary.exported',
      subject: 'csv',
      details: { entries: entries.length },
    });
    return toCsv(entries);
  });
}

function toCsv(entries: readonly GlossaryContent[]): string {
  const rows = entries.map((entry) =>
    COLUMNS.map((column) =>
      guardCell(column === 'forms' ? entry.forms.join(VALUE_SEPARATOR) : entry[column]),
    ),
  );
  return BYTE_ORDER_MARK + stringify([[...COLUMNS], ...rows], EXCEL_CSV);
}

interface ImportResult {
  created: number;
  /** Words that the glossary had, now with other content. */
  updated: number;
  unchanged: number;
  /** The rows that were not saved, each with its first fault. */
  rejected: GlossaryFault[];
}

interface Row {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  content: GlossaryContent;
  hasTooManyCells: boolean;
}

/**
 * Saves the valid rows of a file, and reports the others. A row whose word the glossary has replaces that
 * entry; entries that the file lacks stay. The audit log counts the rows.
 *
 * @throws AppError `import_refused`, with a reason, when the file has no usable header, is no CSV or has no
 *   rows; `account_disabled`
 */
export async function importGlossary(
  db: Database,
  actor: Actor,
  csv: string,
): Promise<ImportResult> {
  const rows = readGlossaryFile(csv);
  return withTransaction(db, async (tx) => {
    await lockGlossary(tx);
    const { changed, ...result } = planImport(await readGlossary(tx), rows);
    await saveEntries(tx, actor, changed);
    const { created, updated, unchanged, rejected } = result;
    await recordAction(tx, {
      actor,
      action: 'glossary.imported',
      subject: 'csv',
      details: { created, updated, unchanged, rejected: rejected.length },
    });
    return result;
  });
}

/**
 * Applies the glossary of our bank: adds the words that it lacks, and updates those of an earlier version. What
 * an administrator wrote or changed stays, and a word whose form it has is left out.
 *
 * @param csv the bank's glossary
 * @returns numbers of words; `kept` are those left as they are
 * @throws AppError `account_disabled`
 */
export async function applyBankGlossary(
  db: Database,
  actor: Actor,
  csv: string,
): Promise<ApplyBankGlossaryResponse> {
  const rows = readGlossaryFile(csv);
  return withTransaction(db, async (tx) => {
    await lockGlossary(tx);
    const glossary = await readGlossary(tx);
    const written = new Set(
      glossary
        .filter(({ updated_by }) => updated_by !== BANK_GLOSSARY)
        .map(({ word }) => keyOf(word)),
    );
    const { changed, created, updated } = planImport(
      glossary,
      rows.filter(({ content }) => !written.has(keyOf(content.word))),
    );
    await saveEntries(tx, BANK_GLOSSARY, changed);
    const kept = rows.length - created - updated;
    await recordAction(tx, {
      actor,
      action: 'glossary.imported',
      subject: BANK_GLOSSARY,
      details: { created, updated, unchanged: kept },
    });
    return { created, updated, kept };
  });
}

/**
 * Deletes the words of our bank that no administrator has changed.
 *
 * @throws AppError `account_disabled`
 */
export async function undoGlossary(db: Database, actor: Actor): Promise<UndoGlossaryResponse> {
  return withTransaction(db, async (tx) => {
    await lockGlossary(tx);
    const { rowCount } = await tx.query('delete from glossary_entry where updated_by = $1', [
      BANK_GLOSSARY,
    ]);
    const deleted = rowCount ?? 0;
    await recordAction(tx, {
      actor,
      action: 'glossary.undone',
      subject: BANK_GLOSSARY,
      details: { entries: deleted },
    });
    return { deleted };
  });
}

/** What an import of these rows changes. */
function planImport(glossary: readonly GlossaryEntry[], rows: readonly Row[]) {
  const byId = new Map<string, GlossaryContent>(glossary.map((entry) => [entry.id, entry]));
  /** The entry that has a form. */
  const owners = new Map<string, string>();
  const own = (id: string, { word, forms }: GlossaryContent) => {
    for (const form of [word, ...forms]) owners.set(keyOf(form), id);
  };
  for (const entry of glossary) own(entry.id, entry);
  const byWord = new Map(glossary.map(({ id, word }) => [keyOf(word), id]));
  const seen = new Set<string>();
  const changed = new Map<string, GlossaryContent & { id: string }>();
  const result: ImportResult = { created: 0, updated: 0, unchanged: 0, rejected: [] };

  for (const { row, content, hasTooManyCells } of rows) {
    const { word, forms } = content;
    const key = keyOf(word);
    const known = byWord.get(key);
    const id = known ?? crypto.randomUUID();
    const takenForm = [word, ...forms].find((form) => (owners.get(keyOf(form)) ?? id) !== id);
    const fault: Omit<GlossaryFault, 'row' | 'word'> | undefined = hasTooManyCells
      ? { field: '', reason: 'too_many_cells', value: '' }
      : (faultOf(content) ??
        (seen.has(key) ? { field: 'word', reason: 'repeated', value: '' } : undefined) ??
        (takenForm === undefined
          ? undefined
          : { field: takenForm === word ? 'word' : 'forms', reason: 'taken', value: takenForm }) ??
        (known === undefined && byId.size >= MAX_GLOSSARY_ENTRIES
          ? { field: '', reason: 'glossary_full', value: '' }
          : undefined));
    if (fault) {
      result.rejected.push({ row, word, ...fault });
      continue;
    }
    seen.add(key);
    const before = byId.get(id);
    if (before && Object.keys(differences(before, content)).length === 0) {
      result.unchanged += 1;
      continue;
    }
    result[before ? 'updated' : 'created'] += 1;
    // The forms that the entry had before are free for later rows.
    for (const form of before?.forms ?? []) owners.delete(keyOf(form));
    own(id, content);
    byWord.set(key, id);
    byId.set(id, content);
    changed.set(id, { id, ...content });
  }
  return { ...result, changed: [...changed.values()] };
}

/**
 * The rows of a file, not validated yet.
 *
 * @throws AppError `import_refused`
 */
export function readGlossaryFile(csv: string): Row[] {
  const lineEnd = csv.indexOf('\n');
  const line = lineEnd === -1 ? csv : csv.slice(0, lineEnd);
  const header = parseHeader(line, { known: COLUMNS, required: REQUIRED });
  if (!header) throw refused('csv_header');
  const rows = parseRecords(csv, header.delimiter)
    .map((cells, index) => ({ cells, row: index + 1 }))
    .slice(1)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ cells, row }) => ({ row, ...toRow(cells, header.columns) }));
  if (rows.length === 0) throw refused('empty');
  return rows;
}

function parseRecords(csv: string, delimiter: string): string[][] {
  try {
    return parse(csv, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused('not_csv');
  }
}

function toRow(cells: readonly string[], columns: readonly string[]) {
  const cell = (column: string) => {
    const place = columns.indexOf(column);
    return place === -1 ? '' : unguardCell(cells[place] ?? '');
  };
  return {
    content: tidyContent({
      word: cell('word'),
      forms: cell('forms').split(VALUE_SEPARATOR),
      norwegian: cell('norwegian'),
      english: cell('english'),
    }),
    // Excel adds empty cells at the end of a row.
    hasTooManyCells: cells.slice(columns.length).some((cell) => cell.trim() !== ''),
  };
}

function refused(reason: 'csv_header' | 'not_csv' | 'empty'): AppError {
  return new AppError('import_refused', { details: { reason } });
}
