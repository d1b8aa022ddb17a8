import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWrittenIn, promises } from './promises.ts';
import { renderPage, renderProof, stateOf, type Results } from './render.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const results = JSON.parse(read('docs/promises.json')) as Results;

describe('every promise', () => {
  test.each(promises)('$id: its tests are in their files', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    const missing = tests.filter((wanted) => !isWrittenIn(wanted, read(wanted.file)));
    expect(missing).toEqual([]);
  });

  test('has an id of its own', () => {
    const ids = promises.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(Object.keys(results).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('shows only figures that its tests have recorded', () => {
    const unknown = promises.flatMap(({ id, figures = [] }) => {
      const sizes = Object.values(results[id] ?? {});
      const all = sizes.flatMap((measured) => measured.figures);
      const recorded = new Set(all.flatMap(({ values }) => Object.keys(values)));
      // Not measured yet: nothing to compare with.
      if (sizes.length === 0 || stateOf(results[id]) === 'broke') return [];
      return figures.some((name) => recorded.has(name)) || figures.length === 0 ? [] : [id];
    });
    expect(unknown).toEqual([]);
  });
});

describe('what is written of promises (npm test -- --promises tests/promises writes it)', () => {
  test('docs/promises.md is made from the list and docs/promises.json', () => {
    expect(read('docs/promises.md')).toBe(renderPage(results));
  });

  test('the proof in README is made from them', () => {
    expect(read('README.md')).toContain(`\n${renderProof(results)}\n\n`);
  });
});
