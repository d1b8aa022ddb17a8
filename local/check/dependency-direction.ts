import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const WORKSPACES = [
  'contract',
  'frontend',
  'gateway',
  'services',
  'workers',
  'operators',
  'migrations',
  'local',
  'stripe-stand-in',
  'tests',
  'bench',
];
const HAS_IMPORT = /^(import\s*['"\w{*]|export\b[^;'"]*\bfrom\s*['"])/mu;

/** The result of a cruise: one line for each problem, and how much was read. */
interface Direction {
  problems: string[];
  modules: number;
  dependencies: number;
}

/**
 * Checks the rules of `.dependency-cruiser.mjs` over the workspaces under `root`.
 *
 * Also reports files that were not read, because a cruise that reads nothing breaks no rule: every
 * TypeScript file must be among the modules, and a file with an import must have a dependency.
 * `overrides` of the options are for the test of this.
 */
export async function checkDirection(
  root: string = REPOSITORY,
  overrides: Partial<ICruiseOptions> = {},
): Promise<Direction> {
  const workspaces = WORKSPACES.filter((workspace) => existsSync(join(root, workspace)));
  // Listed first, so that a file which is written meanwhile does not count as overlooked.
  const files = typescriptFiles(root, workspaces);
  const result = await cruiseWorkspaces(root, workspaces, overrides);
  const counts = new Map(
    result.modules
      .filter(({ source }) => workspaces.includes(source.split('/')[0] ?? ''))
      .map(({ source, dependencies }) => [source, dependencies.length]),
  );
  return {
    problems: [...describeUnread(root, files, counts), ...describeViolations(result)],
    modules: counts.size,
    dependencies: [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

async function cruiseWorkspaces(
  root: string,
  workspaces: string[],
  overrides: Partial<ICruiseOptions>,
): Promise<ICruiseResult> {
  const config = await extractDepcruiseConfig(join(REPOSITORY, '.dependency-cruiser.mjs'));
  const { output } = await cruise(
    workspaces,
    {
      ...config.options,
      ...overrides,
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: config.forbidden ?? [] },
    },
    // Otherwise a second cruise in one process reuses the resolution of the first.
    { bustTheCache: true },
  );
  if (typeof output === 'string') throw new Error(`Expected a cruise result, got: ${output}`);
  return output;
}

function describeUnread(root: string, files: string[], counts: Map<string, number>): string[] {
  return files.flatMap((file) => {
    const dependencies = counts.get(file);
    if (dependencies === undefined) return [`not read: ${file}`];
    if (dependencies > 0 || !HAS_IMPORT.test(readFileSync(join(root, file), 'utf8'))) return [];
    return [`imports not read: ${file}`];
  });
}

function typescriptFiles(root: string, workspaces: string[]): string[] {
  return workspaces.flatMap((workspace) =>
    globSync(`${workspace}/**/*.{ts,tsx}`, {
      cwd: root,
      exclude: (path) => /(^|\/)(node_modules|dist|coverage|[.]local)$/u.test(path),
    }),
  );
}

function describeViolations(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name).join(' → ') : to;
    return `${rule.name}: ${from} → ${path}`;
  });
}

if (import.meta.main) {
  const { problems, modules, dependencies } = await checkDirection();
  for (const problem of problems) console.error(problem);
  console.log(`${modules} modules, ${dependencies} imports read`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
