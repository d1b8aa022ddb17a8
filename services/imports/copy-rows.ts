import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Transaction } from '#database/pool.ts';
import { isUniqueViolation } from './apply-updates.ts';
import type { BatchRow } from './batch-rows.ts';
import { PackedTexts } from './packed-texts.ts';

// COPY takes two thirds of the time of an insertion from JSON, and either takes all rows or none. So a batch is copied
// in the hope that the bank has none of its rows.

/** The columns of a row in PostgreSQL's text format. */
const COLUMNS: Record<string, (row: BatchRow) => string> = {
  language: ({ language }) => toText(language),
  topic: ({ topic }) => toText(topic),
  question: ({ question }) => toText(question),
  answer: ({ answer }) => toText(answer),
  incorrect: ({ incorrect }) => toArray(incorrect),
  incorrect_reasons: ({ incorrect_reasons: reasons }) => (reasons ? toArray(reasons) : NULL),
  explanation: ({ explanation }) => toText(explanation),
  source_url: ({ source_url: url }) => toText(url),
  source_title: ({ source_title: title }) => toText(title),
  checked_at: ({ checked_at: at }) => toText(at),
  valid_from: ({ valid_from: from }) => toText(from),
  ages: ({ ages }) => (ages === undefined ? NULL : String(ages)),
  translation_group: ({ group }) => toText(group),
  excludes: ({ excludes }) => toArray(excludes ?? []),
  tags: ({ tags }) => toArray(tags ?? []),
  image_hash: ({ image_hash: hash }) => toText(hash),
  image_alt: ({ image_alt: alt }) => toText(alt),
  areas: ({ areas }) => (areas ? toText(JSON.stringify(areas)) : NULL),
  uuid: ({ uuid }) => uuid ?? randomUUID(),
};
const COPY = `copy question (id, import_id, ${Object.keys(COLUMNS).join(', ')}) from stdin`;
const VALUES = Object.values(COLUMNS);
const NULL = String.raw`\N`;

/**
 * Copies rows into the question bank.
 *
 * @param rows as JSON (BatchRow)
 * @param ids of the questions that they become
 * @returns false when the bank has one of them, or two are the same: then none is copied
 */
export async function copyRows(
  tx: Transaction,
  { rows, ids, importId }: { rows: PackedTexts; ids: readonly number[]; importId: string },
): Promise<boolean> {
  await tx.query('savepoint copy_rows');
  try {
    const copying = tx.query(copyFrom(COPY));
    const lines = new PackedTexts();
    for (const [place, id] of ids.entries()) lines.push(toLine(rows.at(place), id, importId));
    copying.end(lines.bytes);
    await finished(copying);
    await tx.query('release savepoint copy_rows');
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await tx.query('rollback to savepoint copy_rows');
    return false;
  }
}

function toLine(json: string, id: number, importId: string): string {
  const row = JSON.parse(json) as BatchRow;
  let line = `${id}\t${importId}`;
  for (const value of VALUES) line += `\t${value(row)}`;
  return `${line}\n`;
}

const ESCAPED = /[\\\n\r\t]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function toText(text: string | undefined): string {
  return text === undefined ? NULL : text.replace(ESCAPED, (character) => ESCAPES[character]!);
}

function toArray(texts: readonly (string | null)[]): string {
  const items = texts.map((text) =>
    text === null ? 'NULL' : `"${text.replace(/["\\]/g, String.raw`\$&`)}"`,
  );
  return toText(`{${items.join(',')}}`);
}
