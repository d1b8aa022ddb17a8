import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmInstall } from '#bootstrap/install.mjs';
import { PROJECT_DIR } from '#settings.ts';

const run = promisify(execFile);
const WORKSPACES = ['contract', 'gateway', 'services', 'workers', 'operators'];

/**
 * The release before the checked-out version; without tags, the commit before the newest migration. Null
 * in a clone that has neither.
 */
export async function versionBefore(): Promise<string | null> {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^');
  if (tag) return tag;
  const newest = await git('log', '-1', '--format=%h', '--', 'migrations/*.sql');
  return newest === null ? null : git('rev-parse', '--short', '--verify', '--quiet', `${newest}^`);
}

/** The commit before the one that added a migration. Null in a clone without its history. */
export async function versionBeforeMigration(name: string): Promise<string | null> {
  const file = `migrations/${name}.sql`;
  const added = await git('log', '-1', '--diff-filter=A', '--format=%h', '--', file);
  return added === null ? null : git('rev-parse', '--short', '--verify', '--quiet', `${added}^`);
}

async function git(...args: string[]): Promise<string | null> {
  const answer = await run('git', args, { cwd: PROJECT_DIR }).catch(() => undefined);
  return answer?.stdout.trim() || null;
}

/**
 * Unpacks the code of another version and installs the packages of its lockfile, so that its gateway and
 * workers run.
 *
 * @returns its folder, which the caller must remove
 * @throws Error when the packages cannot be installed; npm has printed the reason on stderr
 */
export async function layOut(revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proveklar-before-'));
  const command = 'git archive "$1" | tar -x -C "$2"';
  await run('sh', ['-c', command, 'sh', revision, folder], { cwd: PROJECT_DIR });
  const names = WORKSPACES.filter((name) => existsSync(join(folder, name)));
  const workspaces = names.map((name) => `--workspace=${name}`);
  const code = await npmInstall(folder, ['--omit=dev', '--prefer-offline', ...workspaces]);
  if (code !== 0) {
    await rm(folder, { recursive: true });
    throw new Error(`The packages of ${revision} could not be installed`);
  }
  return folder;
}
