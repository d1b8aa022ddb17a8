import { runStep } from '@proveklar/local/check/run-step.ts';
import { selectSteps } from '@proveklar/local/check/steps.ts';
import { describe, expect, it } from 'vitest';

const names = (wanted: string[]) => selectSteps(wanted).map(({ name }) => name);

const script = (code: string) => ({
  name: 'planted',
  command: process.execPath,
  args: ['--eval', code],
});

describe('the steps of the check', () => {
  it('are all run unless some are named', () => {
    expect(names([])).toEqual([
      'format',
      'lint',
      'types',
      'types:frontend',
      'direction',
      'unused',
      'dependencies',
      'api',
      'questions',
      'glossary',
    ]);
    expect(names(['types', 'lint'])).toEqual(['lint', 'types', 'types:frontend']);
    expect(names(['types:frontend'])).toEqual(['types:frontend']);
  });

  it('are not skipped because of a misspelt name', () => {
    expect(() => selectSteps(['lint', 'typos'])).toThrow('No step named typos');
  });

  it('fail with their output', async () => {
    const code = `console.log('out'); console.error('err'); process.exit(3)`;
    const outcome = await runStep(script(code));
    expect(outcome).toMatchObject({ name: 'planted', passed: false });
    expect(outcome.output).toContain('out');
    expect(outcome.output).toContain('err');
  });

  it('fail when they end by a signal, or their tool is missing', async () => {
    expect(await runStep(script(`process.kill(process.pid, 'SIGKILL')`))).toMatchObject({
      passed: false,
    });
    expect(await runStep({ name: 'planted', command: 'no-such-tool', args: [] })).toMatchObject({
      passed: false,
      output: expect.stringContaining('no-such-tool'),
    });
  });

  it('pass with exit code 0', async () => {
    expect(await runStep(script(''))).toMatchObject({ passed: true });
  });

  it('show their output when they fail, or always if they report', async () => {
    const shown = async (code: string, reports?: boolean) =>
      (await runStep({ ...script(code), reports })).shown;
    expect(await shown('')).toBe(false);
    expect(await shown('', true)).toBe(true);
    expect(await shown('process.exit(3)')).toBe(true);
  });
});
