import { checkRow, type RowFault, tidyTopic } from '#questions/question-row.ts';
import type { BatchRow } from './insert-batch.ts';
import type { FileRow } from './read-json-rows.ts';

/** Checks a row and brings it into the form in which it is stored: JSON of a BatchRow. */
export function toBatchRow(
  read: FileRow,
  row: number,
): { good: string; language: string } | { bad: { row: number; faults: RowFault[] } } {
  if (read.fault !== undefined)
    return { bad: { row, faults: [{ field: '', reason: read.fault }] } };
  const checked = checkRow(read.value);
  if ('faults' in checked) return { bad: { row, faults: checked.faults } };
  const { topic, question, uuid, ...rest } = checked.row;
  const stored: BatchRow = {
    ...rest,
    row,
    topic: tidy(topic),
    question: question.trim(),
    uuid: uuid ?? crypto.randomUUID(),
  };
  return { good: JSON.stringify(stored), language: rest.language };
}

// A file has few topics and many rows.
const tidied = new Map<string, string>();
const MOST_TIDIED = 10_000;

function tidy(topic: string): string {
  const known = tidied.get(topic);
  if (known !== undefined) return known;
  if (tidied.size >= MOST_TIDIED) tidied.clear();
  const name = tidyTopic(topic);
  tidied.set(topic, name);
  return name;
}
