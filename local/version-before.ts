import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_DIR } from '#settings.ts';

const run = promisify(execFile);
const WORKSPACES = ['contract', 'gateway', 'services', 'workers', 'operators', 'frontend'];
const OURS = '@proveklar';

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
 * Unpacks the code of another version so that it runs, with the installed packages and with its own
 * workspaces, which import each other by name.
 *
 * @returns its folder, which the caller must remove
 */
export async function layOut(revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proveklar-before-'));
  const command = 'git archive "$1" | tar -x -C "$2"';
  await run('sh', ['-c', command, 'sh', revision, folder], { cwd: PROJECT_DIR });
  const modules = join(PROJECT_DIR, 'node_modules');
  const ours = join(folder, 'node_modules', OURS);
  await mkdir(ours, { recursive: true });
  for (const name of await readdir(modules)) {
    if (name !== OURS) await symlink(join(modules, name), join(folder, 'node_modules', name));
  }
  for (const workspace of WORKSPACES) {
    const own = join(PROJECT_DIR, workspace, 'node_modules');
    if (existsSync(join(folder, workspace)))
      await symlink(join(folder, workspace), join(ours, workspace));
    if (existsSync(own)) await symlink(own, join(folder, workspace, 'node_modules'));
  }
  return folder;
}
