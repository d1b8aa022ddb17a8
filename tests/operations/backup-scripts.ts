import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { IMAGES } from '#support/containers/images.ts';
import { DEPLOY } from './expressions.ts';

/** Where the scripts of deploy/backup can run: pg_dump must be as new as the server. */
export const BACKUP_TOOLS = findTools();

function findTools(): 'machine' | 'docker' | undefined {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  if (Number(/ (\d+)/u.exec(stdout ?? '')?.[1]) >= 18) return 'machine';
  const { status } = spawnSync('docker', ['image', 'inspect', IMAGES.postgres], {
    stdio: 'ignore',
  });
  return status === 0 ? 'docker' : undefined;
}

/** The backups in a folder, oldest first. */
export const dumpsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.dump'))
    .toSorted();

/** Waits until a new backup has another name than those in the folder: their names are seconds. */
export async function untilNextName(folder: string): Promise<void> {
  const second = () => new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  await expect.poll(() => dumpsIn(folder).some((dump) => dump.includes(second()))).toBe(false);
}

export interface ScriptRun {
  status: number | null;
  /** Standard output and error. */
  output: string;
}

/**
 * Runs a script of deploy/backup to its end.
 *
 * @param environment its variables; BACKUP_FOLDER is a folder that a container may write, too
 */
export async function runScript(
  line: string[],
  environment: Record<string, string> & { BACKUP_FOLDER: string },
): Promise<ScriptRun> {
  const { done } = startScript(line, environment);
  return done;
}

/** Starts a script that runs until it is stopped. */
export function startScript(
  [script = '', ...args]: string[],
  environment: Record<string, string> & { BACKUP_FOLDER: string },
): { stop: () => Promise<void>; output: () => string; done: Promise<ScriptRun> } {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = ['sh', join(DEPLOY, 'backup', script), ...args];
  const line =
    BACKUP_TOOLS === 'docker' ? inContainer(variables, environment.BACKUP_FOLDER) : variables;
  const child = spawn('env', [...line, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const done = new Promise<ScriptRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
  return {
    output: () => output,
    done,
    stop: async () => {
      child.kill('SIGTERM');
      await done;
    },
  };
}

function inContainer(variables: string[], folder: string): string[] {
  const mounts = [`${DEPLOY}:${DEPLOY}:ro`, `${folder}:${folder}`];
  return [
    'docker',
    'run',
    '--rm',
    '--user',
    'postgres',
    '--network',
    'host',
    ...variables.flatMap((variable) => ['--env', variable]),
    ...mounts.flatMap((mount) => ['--volume', mount]),
    IMAGES.postgres,
  ];
}
