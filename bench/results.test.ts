import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepResults, measured, notMeasured, type Results } from './results.ts';
import type { Row } from './row.ts';

const row: Row = {
  id: 'P3',
  title: 'Starting a quiz',
  sides: { value: 'large', limit: 'small' },
  unit: 'ms',
  target: { at: 'most', ratio: 1.2 },
  measure: () => Promise.reject(new Error('not here')),
};
const least: Row = { ...row, target: { at: 'least', ratio: 0.6 } };
const at = (value: number) => ({ value, limit: 10, notes: [] });

test('a target is met on its own side of the ratio', () => {
  expect(measured(row, false, at(12))).toMatchObject({ ratio: 1.2, met: true });
  expect(measured(row, false, at(12.1))).toMatchObject({ ratio: 1.21, met: false });
  expect(measured(least, false, at(6))).toMatchObject({ ratio: 0.6, met: true });
  expect(measured(least, false, at(5.9))).toMatchObject({ ratio: 0.59, met: false });
  expect(measured(row, false, { ...at(20), met: true })).toMatchObject({ ratio: 2, met: true });
});

test('rows that were not run keep their earlier result', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proveklar-results-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'deep/latest.json');
  const read = async () => JSON.parse(await readFile(file, 'utf8')) as Results;
  keepResults(file, { P10: measured(row, false, at(1)) });
  keepResults(file, { P3: measured(row, true, at(2)) });
  keepResults(file, { P4: notMeasured(row, true, 'psql is missing') });
  const kept = await read();
  expect(Object.keys(kept)).toEqual(['P3', 'P4', 'P10']);
  expect(kept.P10).toMatchObject({ value: 1, limit: 10, target: 1.2, unit: 'ms', quick: false });
  expect(kept.P3).toMatchObject({ value: 2, quick: true });
  expect(kept.P4).toMatchObject({ measured: false, value: null, notes: ['psql is missing'] });
});
