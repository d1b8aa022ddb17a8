import { describe, expect, it } from 'vitest';
import { plantRepository, runTool } from './planted-repository.ts';

/** [rule, file, content]: each file breaks exactly this rule. */
const PLANTED: [rule: string, file: string, content: string][] = [
  [
    'typescript(no-floating-promises)',
    'services/floating.ts',
    `export function start(): void {\n  fetch('http://127.0.0.1');\n}\n`,
  ],
  [
    'typescript(no-misused-promises)',
    'services/misused.ts',
    `export function wait(): void {\n  setTimeout(async () => {\n    await fetch('x');\n  }, 1);\n}\n`,
  ],
  [
    'typescript(consistent-type-imports)',
    'services/type-import.ts',
    `import { Pool } from 'pg';\n\nexport const close = (pool: Pool) => pool.end();\n`,
  ],
  [
    'typescript(consistent-type-imports)',
    'services/inline-type-import.ts',
    `export const close = (pool: import('pg').Pool) => pool.end();\n`,
  ],
  [
    'typescript(no-explicit-any)',
    'services/any.ts',
    `export const parse = (x: any) => String(x);\n`,
  ],
  [
    'typescript(parameter-properties)',
    'services/parameter.ts',
    `export class Box {\n  constructor(readonly size: number) {}\n}\n`,
  ],
  [
    'typescript(no-namespace)',
    'services/space.ts',
    `export namespace Box {\n  export const a = 1;\n}\n`,
  ],
  [
    'import(extensions)',
    'services/extension.ts',
    `import { a } from './any';\n\nexport const b = a;\n`,
  ],
  ['unicorn(filename-case)', 'services/camelCase.ts', `export const a = 1;\n`],
  [
    'unicorn(filename-case)',
    'frontend/src/QuizCard.tsx',
    `export const QuizCard = () => <p>1</p>;\n`,
  ],
  ['eslint(no-console)', 'services/log.ts', `console.log('x');\n`],
  ['eslint(no-console)', 'gateway/log.ts', `console.log('x');\n`],
  ['eslint(no-console)', 'workers/log.ts', `console.log('x');\n`],
  ['eslint(no-console)', 'frontend/src/log.ts', `console.log('x');\n`],
  ['node(no-process-env)', 'gateway/environment.ts', `export const port = process.env.PORT;\n`],
  [
    'eslint(no-restricted-imports)',
    'workers/environment.ts',
    `import { env } from 'node:process';\n\nexport const port = env.PORT;\n`,
  ],
  [
    'react-hooks(rules-of-hooks)',
    'frontend/src/hook.tsx',
    `import { useState } from 'react';\n\nexport function Card({ open }: { open: boolean }) {\n  if (!open) return null;\n  const [n] = useState(0);\n  return <p>{n}</p>;\n}\n`,
  ],
  [
    'react-hooks(exhaustive-deps)',
    'frontend/src/effect.tsx',
    `import { useEffect } from 'react';\n\nexport function Title({ text }: { text: string }) {\n  useEffect(() => {\n    document.title = text;\n  }, []);\n  return null;\n}\n`,
  ],
  [
    'jsx-a11y(alt-text)',
    'frontend/src/picture.tsx',
    `export const Picture = () => <img src="a.svg" />;\n`,
  ],
  [
    'vitest(no-focused-tests)',
    'services/focused.test.ts',
    `import { expect, it } from 'vitest';\n\nit.only('is alone', () => {\n  expect(1).toBe(1);\n});\n`,
  ],
  [
    'typescript(switch-exhaustiveness-check)',
    'services/switch.ts',
    `export function name(state: 'open' | 'ended'): string {\n  switch (state) {\n    case 'open':\n      return 'o';\n  }\n  return '';\n}\n`,
  ],
];

const SOUND = {
  'services/config/environment.ts': `export const port = process.env.PORT;\n`,
  'local/log.ts': `console.log(process.env.PORT);\n`,
  'tests/log.ts': `console.log(process.env.PORT);\n`,
  'frontend/vite.config.ts': `export default { base: process.env.BASE };\n`,
  'services/close-pool.ts': `import type { Pool } from 'pg';\n\nexport const close = async (pool: Pool) => {\n  await pool.end();\n};\n`,
  'frontend/src/quiz-card.tsx': `import { useState } from 'react';\n\nexport function QuizCard() {\n  const [n, setN] = useState(0);\n  return (\n    <button type="button" onClick={() => setN(n + 1)}>\n      {n}\n    </button>\n  );\n}\n`,
};

interface Diagnostic {
  code: string;
  filename: string;
}

function lint(files: Record<string, string>): string[] {
  const { output } = runTool(plantRepository(files), 'oxlint', ['--format', 'json']);
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  return diagnostics.map(({ code, filename }) => `${code}: ${filename}`);
}

describe('the lint rules', () => {
  it('each report the file that breaks them, and no other', () => {
    const files = Object.fromEntries(PLANTED.map(([, file, content]) => [file, content]));
    const found = lint({ ...SOUND, ...files });
    expect(found).toEqual(
      expect.arrayContaining(PLANTED.map(([rule, file]) => `${rule}: ${file}`)),
    );
    expect(found.filter((line) => Object.keys(SOUND).some((file) => line.endsWith(file)))).toEqual(
      [],
    );
  });
});

describe('the formatter', () => {
  it('reports a file that is not formatted', () => {
    const sound = plantRepository({ 'services/a.ts': `export const a = ['x', 'y'];\n` });
    expect(runTool(sound, 'oxfmt', ['--check', 'services'])).toMatchObject({ status: 0 });
    const planted = plantRepository({ 'services/a.ts': `export const a = ["x","y"]\n` });
    expect(runTool(planted, 'oxfmt', ['--check', 'services'])).toMatchObject({ status: 1 });
  });
});

const MISTYPED: [code: string, file: string, content: string][] = [
  ['TS1294', 'enum', `export enum Color {\n  red,\n}\n`],
  ['TS1294', 'property', `export class Box {\n  constructor(readonly size: number) {}\n}\n`],
  ['TS2835', 'extension', `export { a } from './sound';\n`],
  ['TS2322', 'mismatch', `export const a: string = 1;\n`],
  ['TS1484', 'import', `import { Box } from './sound.ts';\n\nexport const box: Box = {};\n`],
];

describe('the type check', () => {
  it('reports each mistyped file with its error code, and no other', () => {
    const root = plantRepository({
      ...Object.fromEntries(MISTYPED.map(([, name, text]) => [`services/${name}.ts`, text])),
      'services/sound.ts': `export interface Box {}\nexport const a = 1;\n`,
    });
    const { status, output } = runTool(root, 'tsc', ['--project', '.']);
    const found = output
      .matchAll(/^services\/(\w+)[.]ts.* error (TS\d+):/gmu)
      .map(([, name = '', code = '']) => `${name} ${code}`);
    const expected = MISTYPED.map(([code, name]) => `${name} ${code}`);
    expect([...found].toSorted()).toEqual(expected.toSorted());
    expect(status).not.toBe(0);
  });
});
