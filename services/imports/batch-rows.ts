import { toBatchRow } from './check-rows.ts';
import { addToRuns, type Batch } from './insert-batch.ts';
import type { FileRow, ReadFrom } from './read-json-rows.ts';

// Both follow from the file alone, so that a second reading cuts the same batches.
const MOST_ROWS = 5_000;
const MOST_BYTES = 2 * 1024 * 1024;

/** Checks rows and puts them together to batches. */
export async function* batchRows(
  pieces: AsyncIterable<FileRow[]>,
  from: ReadFrom & { batch: number },
): AsyncGenerator<Batch> {
  let row = from.rows;
  let startByte = from.byte;
  const begin = (number: number): Batch => ({
    number,
    size: 0,
    endByte: startByte,
    good: [],
    bad: [],
    languages: [],
  });
  let batch = begin(from.batch);
  for await (const piece of pieces) {
    for (const read of piece) {
      row += 1;
      const checked = toBatchRow(read, row);
      if ('good' in checked) {
        batch.good.push(checked.good);
        addToRuns(batch.languages, row, checked.language);
      } else batch.bad.push(checked.bad);
      batch.size += 1;
      batch.endByte = read.end;
      if (batch.size >= MOST_ROWS || batch.endByte - startByte >= MOST_BYTES) {
        yield batch;
        startByte = batch.endByte;
        batch = begin(batch.number + 1);
      }
    }
  }
  if (batch.size > 0) yield batch;
}
