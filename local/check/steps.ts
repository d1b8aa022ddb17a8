/** One named command of `npm run check`. */
export interface Step {
  /** Such as `lint`, or `types:frontend`, which `--only types` selects too. */
  name: string;
  command: string;
  args: string[];
  /** Arguments that fix instead of report; a step without them ignores `--fix`. */
  fixArgs?: string[];
  /** Whether its output is shown also when it passes. */
  reports?: boolean;
}

const node = (script: string): Pick<Step, 'command' | 'args'> => ({
  command: process.execPath,
  args: [script],
});

/** Every step of the check, in the order of the report. */
const STEPS: Step[] = [
  { name: 'format', command: 'oxfmt', args: ['--check', '.'], fixArgs: ['--write', '.'] },
  { name: 'lint', command: 'oxlint', args: [], fixArgs: ['--fix'] },
  { name: 'types', command: 'tsc', args: ['--project', '.'] },
  { name: 'types:frontend', command: 'tsc', args: ['--project', 'frontend'] },
  { name: 'direction', ...node('local/check/dependency-direction.ts') },
  { name: 'unused', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
  {
    name: 'dependencies',
    ...node('local/check/dependencies.ts'),
    fixArgs: ['local/check/dependencies.ts', '--write'],
  },
  { name: 'api', ...node('tests/checks/api-document.ts') },
  { name: 'questions', ...node('local/seed/questions/lint.ts'), reports: true },
  { name: 'glossary', ...node('local/seed/lint-glossary.ts') },
];

/**
 * The steps with these names; all steps without names.
 *
 * @throws {Error} for an unknown name, because a typo would otherwise check nothing.
 */
export function selectSteps(names: string[]): Step[] {
  if (names.length === 0) return STEPS;
  const matches = (step: Step, name: string) =>
    step.name === name || step.name.startsWith(`${name}:`);
  const unknown = names.filter((name) => !STEPS.some((step) => matches(step, name)));
  if (unknown.length > 0) {
    const known = STEPS.map((step) => step.name).join(', ');
    throw new Error(`No step named ${unknown.join(', ')}. There are: ${known}.`);
  }
  return STEPS.filter((step) => names.some((name) => matches(step, name)));
}
