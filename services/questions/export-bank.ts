import { stringify } from 'csv-stringify/sync';
import type { Area } from '@proveklar/contract/images.ts';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV } from '#csv/csv.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { readDataUri } from '#images/images.ts';
import { CSV_COLUMNS, toCells } from './csv-format.ts';
import { conditionsOf, type QuestionFilter } from './question-filter.ts';

export type ExportFormat = 'json' | 'csv';

/** A row that an import accepts; an export writes its fields in this order. */
interface ExportedRow {
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  incorrect_reasons: (string | null)[] | null;
  explanation: string | null;
  source_url: string | null;
  source_title: string | null;
  checked_at: string | null;
  valid_from: string | null;
  ages: number | null;
  group: string | null;
  excludes: string[] | null;
  tags: string[] | null;
  image?: string;
  image_alt: string | null;
  areas: Area[] | null;
  uuid: string;
}

type StoredRow = Omit<ExportedRow, 'image'> & { image_hash: string | null };

/** Ids in a batch, whether they match the filter or not: every read costs the same. */
const BATCH_IDS = 4_000;

const ROWS = `
  select language, topic, question, answer, incorrect, incorrect_reasons, explanation, source_url,
         source_title, checked_at::text as checked_at, valid_from::text as valid_from, ages,
         translation_group as "group", nullif(excludes, '{}') as excludes,
         nullif(tags, '{}') as tags, image_hash, image_alt, areas, uuid
  from question`;

/** Records the export in the audit log. Call it before the first part is sent. */
export async function recordExport(
  db: Database,
  details: { actor: Actor; format: ExportFormat; filter: QuestionFilter },
): Promise<void> {
  const { actor, format, filter } = details;
  await withTransaction(db, (tx) =>
    recordAction(tx, {
      actor,
      action: 'questions.exported',
      subject: format,
      details: { filter },
    }),
  );
}

const FORMATS = {
  json: {
    open: '[',
    write: (rows: ExportedRow[], isFirst: boolean) =>
      rows.map((row, index) => (isFirst && index === 0 ? '\n' : ',\n') + toJson(row)).join(''),
    close: '\n]\n',
  },
  csv: {
    open: BYTE_ORDER_MARK + stringify([[...CSV_COLUMNS]], EXCEL_CSV),
    write: (rows: ExportedRow[]) =>
      stringify(
        rows.map((row) => toCells({ ...row })),
        EXCEL_CSV,
      ),
    close: '',
  },
};

/** Leaves out empty fields. In a list, null stays null. */
function toJson(row: ExportedRow): string {
  return JSON.stringify(row, (_field, value: unknown) => value ?? undefined);
}

/**
 * The bank, filtered or whole, as a file that an import accepts. It is read by keyset pagination in the
 * order of the ids, so that a million questions need no more memory than a thousand.
 */
export async function* exportBank(
  db: Database,
  format: ExportFormat,
  filter: QuestionFilter,
): AsyncGenerator<string> {
  const { open, write, close } = FORMATS[format];
  yield open;
  let isFirst = true;
  for await (const rows of readRows(db, filter)) {
    for await (const some of withPictures(db, rows)) {
      yield write(some, isFirst);
      isFirst = false;
    }
  }
  yield close;
}

/** The rows with their pictures, which may be 2 MB each: one in memory at a time. */
async function* withPictures(db: Database, rows: readonly StoredRow[]) {
  let plain: ExportedRow[] = [];
  for (const { image_hash: hash, image_alt, areas, uuid, ...row } of rows) {
    if (hash === null) {
      plain.push({ ...row, image_alt, areas, uuid });
      continue;
    }
    if (plain.length > 0) yield plain;
    plain = [];
    yield [{ ...row, image: await readDataUri(db, hash), image_alt, areas, uuid }];
  }
  if (plain.length > 0) yield plain;
}

async function* readRows(db: Database, filter: QuestionFilter): AsyncGenerator<StoredRow[]> {
  const bounds = await db.query<{ first: number | null; last: number | null }>(
    'select min(id) as first, max(id) as last from question',
  );
  const { first, last } = bounds.rows[0]!;
  // Read after the bounds: the questions of a later import are outside them.
  const { where, values } = await conditionsOf(db, filter);
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += BATCH_IDS) {
    const { rows } = await db.query<StoredRow>(
      `${ROWS} where ${where} and id >= ${from} and id < ${from + BATCH_IDS} order by id`,
      values,
    );
    if (rows.length > 0) yield rows;
  }
}
