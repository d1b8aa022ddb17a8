import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { lintQuestionBank } from '../lint.ts';

type Fields = Record<string, unknown>;

/** The day on which the test banks are checked. */
const TODAY = '2026-11-23';

/** A folder for each test, and what lints files that it writes there. */
export function useBankFolder() {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'questions-'));
    await mkdir(join(dir, 'images'));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true });
  });

  async function lint(files: Record<string, unknown>) {
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      await writeFile(join(dir, name), text);
    }
    return lintQuestionBank(dir, TODAY);
  }

  return {
    lint,
    faultsOf: async (...entries: unknown[]) => (await lint({ 'historie.no.json': entries })).faults,
    dir: () => dir,
  };
}

/** A valid question, number `n` of the history file, with `changes` applied. */
export function question(n: number, changes: Fields = {}): Fields {
  return {
    language: 'no',
    topic: 'Historie',
    question: `Spørsmål ${n}?`,
    answer: 'Bergen',
    incorrect: ['Stavanger', 'Trondheim', 'Oslo'],
    incorrect_reasons: ['Fordi.', 'Derfor.', 'Slik er det.'],
    explanation: 'Fordi det er slik.',
    group: `historie-${String(n).padStart(3, '0')}`,
    tags: ['etterkrigstid'],
    ...changes,
  };
}

export function english(n: number, changes: Fields = {}): Fields {
  return question(n, { language: 'en', topic: 'History', ...changes });
}

export function nynorsk(n: number, changes: Fields = {}): Fields {
  return question(n, { language: 'nn', ...changes });
}

/** Questions 1 to `count`. */
export function times(count: number, make: (n: number) => Fields): Fields[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
