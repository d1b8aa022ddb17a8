import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const MODULES = join(REPOSITORY, 'node_modules');
const WORKSPACES = [
  'contract',
  'frontend',
  'gateway',
  'services',
  'workers',
  'operators',
  'local',
  'stripe-stand-in',
  'tests',
  'bench',
];

/**
 * Makes a throwaway repository with our own manifests and tool settings, and `files` (path →
 * content) in place of our code. Installed packages are the real ones, except those in `stubs`.
 */
export function plantRepository(files: Record<string, string>, stubs: string[] = []): string {
  const parent = mkdtempSync(join(tmpdir(), 'planted-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  // What is not in its own node_modules is looked for one folder higher: a link instead of six hundred.
  symlinkSync(MODULES, join(parent, 'node_modules'));
  const root = join(parent, 'repository');
  copySettings(root);
  linkWorkspaces(root);
  for (const name of stubs) stubPackage(root, name);
  for (const [path, content] of Object.entries(files)) write(join(root, path), content);
  return root;
}

/** Runs an installed tool in `root`; returns its exit code and output. */
export function runTool(root: string, tool: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(MODULES, '.bin', tool), args, {
    cwd: root,
    encoding: 'utf8',
    // The tools' launchers look up `node`, which must be the one that runs the tests.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
  });
  return { status, output: stdout + stderr };
}

function copySettings(root: string): void {
  const settings = [
    ...globSync(['package.json', 'tsconfig.json', 'knip.ts', '.ox*rc.json', '.gitignore'], {
      cwd: REPOSITORY,
    }),
    ...WORKSPACES.map((name) => `${name}/package.json`),
    'frontend/tsconfig.json',
  ];
  for (const path of settings) cpSync(join(REPOSITORY, path), join(root, path));
}

/** Links our workspaces to the planted ones. */
function linkWorkspaces(root: string): void {
  mkdirSync(join(root, 'node_modules/@proveklar'), { recursive: true });
  for (const name of WORKSPACES) {
    symlinkSync(join(root, name), join(root, 'node_modules/@proveklar', name));
  }
}

/** Its code is in `dist/`, as in many packages, so an exclusion of all `dist/` folders would hide it. */
function stubPackage(root: string, name: string): void {
  const directory = join(root, 'node_modules', name);
  write(join(directory, 'package.json'), JSON.stringify({ name, main: 'dist/index.js' }));
  write(join(directory, 'dist/index.js'), 'module.exports = {};\n');
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
