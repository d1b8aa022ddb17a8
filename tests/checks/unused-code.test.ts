import { describe, expect, it } from 'vitest';
import { plantRepository, runTool } from './planted-repository.ts';

const ENTRIES = {
  'gateway/server.ts': `import { topics } from '@proveklar/contract/questions.ts';\nconsole.log(topics);\n`,
  'contract/questions.ts': `export const topics = 1;\nexport const unusedSchema = 2;\n`,
  'contract/orphan.ts': `export const orphanSchema = 1;\n`,
  'gateway/openapi/examples/orphan.ts': `export const orphanExample = 1;\n`,
  'services/migrate-command.ts': `import pg from 'pg';\nconsole.log(pg);\n`,
  'services/quiz/used.ts': `export const used = 1;\nexport const unusedExport = 2;\n`,
  'services/quiz/tested.test.ts': `import { used } from './used.ts';\nconsole.log(used);\n`,
  'services/quiz/unused-script.ts': `console.log('not started');\n`,
  'workers/main.ts': `import { used } from '@proveklar/services/quiz/used.ts';\nconsole.log(used);\n`,
  'workers/unused-file.ts': `import left from 'left-pad';\nexport const unused = left;\n`,
  'local/stack.ts': `import left from 'left-pad';\nconsole.log(left);\n`,
  'local/unused-file.ts': `console.log('not started either');\n`,
  'frontend/src/main.tsx': `import { createRoot } from 'react-dom/client';\nimport './theme.css';\ncreateRoot(document);\n`,
  'frontend/src/theme.css': `@import '@fontsource-variable/inter';\n@import url('./colours.css');\n`,
  'frontend/src/colours.css': `:root {\n  color: black;\n}\n`,
  'frontend/src/unused.css': `:root {\n  color: white;\n}\n`,
  'frontend/src/unused-file.tsx': `export const unusedComponent = null;\n`,
};

interface Report {
  issues: ({ file: string } & Record<string, { name: string }[] | string>)[];
}

/** knip's findings, as `kind: file name`. */
function knip(files: Record<string, string>): string[] {
  const root = plantRepository(files);
  const { output } = runTool(root, 'knip', ['--no-progress', '--reporter', 'json']);
  const { issues } = JSON.parse(output) as Report;
  return issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) =>
      Array.isArray(found) ? found.map(({ name }) => `${kind}: ${file} ${name}`) : [],
    ),
  );
}

describe('unused code', () => {
  it('is found in every room', () => {
    const found = knip(ENTRIES);
    const planted = [
      'exports: contract/questions.ts unusedSchema',
      'files: contract/orphan.ts contract/orphan.ts',
      'exports: gateway/openapi/examples/orphan.ts orphanExample',
      'exports: services/quiz/used.ts unusedExport',
      'files: services/quiz/unused-script.ts services/quiz/unused-script.ts',
      'files: workers/unused-file.ts workers/unused-file.ts',
      'files: local/unused-file.ts local/unused-file.ts',
      'files: frontend/src/unused-file.tsx frontend/src/unused-file.tsx',
      'files: frontend/src/unused.css frontend/src/unused.css',
      'unlisted: local/stack.ts left-pad',
      'dependencies: gateway/package.json fastify',
      'dependencies: services/package.json stripe',
    ];
    expect(found).toEqual(expect.arrayContaining(planted));
    expect(found).not.toContain('dependencies: frontend/package.json @fontsource-variable/inter');
    const code = found.filter((issue) => /^(files|exports|types|unlisted):/u.test(issue));
    expect(code.toSorted()).toEqual(planted.slice(0, 10).toSorted());
  });
});
