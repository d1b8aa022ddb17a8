import type { KnipConfig } from 'knip';

/** A style sheet as the imports it stands for: packages and files that only CSS names are used. */
function cssImports(text: string): string {
  const specifiers = text.matchAll(
    /(?:@import\s+(?:url\()?|composes:[^;]*\sfrom)\s*['"]([^'"]+)['"]/gu,
  );
  return Array.from(specifiers, ([, specifier = '']) => `import '${specifier}';`).join('\n');
}

const config: KnipConfig = {
  // A pattern in `exports` ("./openapi/examples/*.ts") makes every file an entry; unused exports of an entry
  // are still reported. The other workspaces export "./*", the one pattern that makes no entries, so that
  // unused files are reported too (tests/checks/unused-code.test.ts).
  includeEntryExports: true,
  // The types in the signature of an exported function may be exported with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  compilers: { css: cssImports },
  workspaces: {
    '.': {
      entry: ['migrations/*.ts'],
      project: ['*.ts', 'migrations/*.ts'],
      // Started by name in local/check/steps.ts, and the plug-ins that they load.
      ignoreDependencies: ['oxfmt', 'oxlint', 'oxlint-tsgolint', '@swc/core'],
    },
    contract: {
      project: ['**/*.ts'],
    },
    frontend: {
      // The last one replaces a package, in frontend/vite.config.ts.
      entry: [
        'index.html',
        'src/main.tsx',
        'src/landing.tsx',
        'src/early-identity.ts',
        'src/lib/design-elements.ts',
      ],
      project: ['**/*.{ts,tsx,mjs,css}'],
    },
    gateway: {
      entry: ['server.ts'],
      project: ['**/*.ts'],
      ignoreDependencies: ['@proveklar/operators'],
    },
    services: {
      entry: ['migrate-command.ts'],
      project: ['**/*.ts'],
    },
    workers: {
      entry: [
        'main.ts',
        'reconcile-command.ts',
        'events-command.ts',
        'restored-accounts-command.ts',
      ],
      project: ['**/*.ts'],
    },
    operators: {
      entry: ['doctor/main.ts'],
      project: ['**/*.ts'],
      // @bull-board/api loads its files.
      ignoreDependencies: ['@bull-board/ui'],
    },
    local: {
      // Started by path: by bootstrap.mjs, by stack.ts, by the steps of the check.
      entry: [
        'bootstrap.mjs',
        'build.ts',
        'check.ts',
        'stack.ts',
        'dev/frontend-server.ts',
        'run-tests.ts',
        'run-command.ts',
        'seed/bank.ts',
        'seed/seed.ts',
        'seed/questions/lint.ts',
        'check/dependency-direction.ts',
        'check/dependencies.ts',
      ],
      project: ['**/*.{ts,tsx,mjs}'],
      // Used if the host has one.
      ignoreBinaries: ['redis-server'],
    },
    'stripe-stand-in': {
      entry: ['main.ts'],
      project: ['**/*.ts'],
    },
    tests: {
      // Started by path, by the steps of the check or by hand after a measurement.
      entry: [
        'checks/api-document.ts',
        'faults/run.ts',
        'learning/draw-charts.ts',
        'promises/promise-reporter.ts',
        'promises/run.ts',
      ],
      project: ['**/*.{ts,tsx}'],
      // From Debian packages; the tests report if they are missing.
      ignoreBinaries: ['pg_dump', 'promtool', 'restic', 'amtool', 'mount', 'umount'],
    },
    bench: {
      // Rows are loaded from their folder; the load generator is a process.
      entry: ['run.ts', 'question-file.ts', 'load/answers.ts', 'draw-charts.ts', 'rows/*.ts'],
      project: ['**/*.ts'],
      // From Debian packages; a row reports if one is missing.
      ignoreBinaries: ['pgbench', 'psql'],
    },
  },
  // node-pg-migrate calls `up` and `down`; bench/run.ts loads every row of the folder; a declaration
  // file describes the JavaScript beside it; Vitest loads the reporter by its path.
  ignoreIssues: {
    'migrations/*.ts': ['exports'],
    'bench/rows/*.ts': ['exports'],
    'local/bootstrap/*.d.mts': ['exports'],
    'tests/support/profile-reporter.ts': ['exports'],
    'tests/promises/promise-reporter.ts': ['exports'],
  },
};

export default config;
