import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkRow } from '@proveklar/services/questions/question-row.ts';
import { writeQuestionFile, type QuestionFileFormat } from './question-file.ts';
import { questionAt, type GeneratedQuestion } from './question-text.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proveklar-questions-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(count: number, format: QuestionFileFormat, seed?: number): Promise<string> {
  const path = join(folder, `${count}-${seed ?? 'default'}.${format}`);
  await writeQuestionFile(path, count, format, seed);
  return readFile(path, 'utf8');
}

describe('a file of generated questions', () => {
  test('has the requested number of distinct, valid questions', async () => {
    const rows = JSON.parse(await written(3_001, 'json')) as GeneratedQuestion[];
    expect(new Set(rows.map(({ question }) => question.toLowerCase())).size).toBe(3_001);
    const faults = rows.map((row) => checkRow(row)).filter((checked) => 'faults' in checked);
    expect(faults).toEqual([]);
  });

  test('is as large as a real one: about 300 bytes a question', async () => {
    const bytes = Buffer.byteLength(await written(1_000, 'json'));
    expect(bytes / 1_000).toBeGreaterThan(270);
    expect(bytes / 1_000).toBeLessThan(360);
  });

  test('is the same for the same seed, and another for another', async () => {
    expect(await written(100, 'json', 7)).toBe(await written(100, 'json', 7));
    expect(await written(100, 'json', 8)).not.toBe(await written(100, 'json', 7));
  });

  test('has a line for each question as CSV and for COPY', async () => {
    expect((await written(501, 'csv')).trimEnd().split('\n')).toHaveLength(502);
    const lines = (await written(501, 'copy')).trimEnd().split('\n');
    expect(lines).toHaveLength(501);
    expect(new Set(lines.map((line) => line.split('\t').length))).toEqual(new Set([5]));
  });

  test('ends where the texts do', () => {
    expect(() => questionAt(30_000_000)).toThrow('no more than');
  });
});
