import { spawn } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import type { Step } from './steps.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** The result of a step; `output` has both streams in the order of arrival. */
export interface Outcome {
  name: string;
  passed: boolean;
  /** Whether to show the output: of a step that failed or reports. */
  shown: boolean;
  seconds: number;
  output: string;
}

/** Runs a step. Never rejects: a command that cannot start is a failed step. */
export function runStep(step: Step, fix = false): Promise<Outcome> {
  const started = performance.now();
  const args = fix && step.fixArgs ? step.fixArgs : step.args;
  return new Promise((settle) => {
    let output = '';
    const end = (passed: boolean) =>
      settle({
        name: step.name,
        passed,
        shown: !passed || step.reports === true,
        seconds: (performance.now() - started) / 1000,
        output,
      });
    const child = spawn(step.command, args, {
      cwd: REPOSITORY,
      env: { ...process.env, PATH: toolPath() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/** Puts our installed tools first on PATH: their launchers look up `node` there, which must be ours. */
function toolPath(): string {
  return [join(REPOSITORY, 'node_modules/.bin'), process.env.PATH].join(delimiter);
}
