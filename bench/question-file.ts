import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { questionAt, type GeneratedQuestion } from './question-text.ts';

/** `copy` is the text format of PostgreSQL's COPY, with the columns of `COPY_COLUMNS`. */
export type QuestionFileFormat = 'json' | 'csv' | 'copy';
export const COPY_COLUMNS = 'language, topic, question, answer, incorrect';

interface Layout {
  begin: string;
  between: string;
  end: string;
  write: (question: GeneratedQuestion) => string;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

// The texts have neither quotes nor backslashes nor tabs, so COPY needs no escapes.
const LAYOUTS: Record<QuestionFileFormat, Layout> = {
  json: { begin: '[\n', between: ',\n', end: '\n]\n', write: (row) => JSON.stringify(row) },
  csv: {
    begin: 'language,topic,question,answer,incorrect_1,incorrect_2,incorrect_3\n',
    between: '\n',
    end: '\n',
    write: ({ language, topic, question, answer, incorrect }) =>
      [language, topic, question, answer, ...incorrect].map((text) => quoted(text)).join(','),
  },
  copy: {
    begin: '',
    between: '\n',
    end: '\n',
    write: ({ language, topic, question, answer, incorrect }) => {
      const list = `{${incorrect.map((text) => `"${text}"`).join(',')}}`;
      return [language, topic, question, answer, list].join('\t');
    },
  },
};
const ROWS_PER_CHUNK = 500;

/** Generates a file of `count` distinct questions, in chunks. */
function* questionFile(count: number, format: QuestionFileFormat, seed = 1): Generator<string> {
  const { begin, between, end, write } = LAYOUTS[format];
  yield begin;
  for (let from = 0; from < count; from += ROWS_PER_CHUNK) {
    const length = Math.min(ROWS_PER_CHUNK, count - from);
    const rows = Array.from({ length }, (_, index) => write(questionAt(from + index, seed)));
    yield (from > 0 ? between : '') + rows.join(between);
  }
  yield end;
}

/** Writes the file; the same count, format and seed give the same bytes. */
export async function writeQuestionFile(
  path: string,
  count: number,
  format: QuestionFileFormat,
  seed = 1,
): Promise<void> {
  await pipeline(Readable.from(questionFile(count, format, seed)), createWriteStream(path));
}

// node bench/question-file.ts 1000000 [--format csv] [--seed 2] > questions.json
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'json' },
      seed: { type: 'string', default: '1' },
    },
  });
  const count = Number(positionals[0]);
  const isFormat = (text: string): text is QuestionFileFormat => text in LAYOUTS;
  if (!Number.isInteger(count) || count < 1 || !isFormat(values.format)) {
    console.error(
      'Say how many: node bench/question-file.ts 1000 [--format json|csv|copy] [--seed 1]',
    );
    process.exit(2);
  }
  for (const piece of questionFile(count, values.format, Number(values.seed))) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}
