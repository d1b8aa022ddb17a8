import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { install, isInstalled, markInstalled } from '@proveklar/local/bootstrap/install.mjs';

const HIDDEN_LOCKFILE = 'node_modules/.package-lock.json';
const LOCKFILE = {
  packages: {
    '': {},
    part: {},
    'node_modules/part': { link: true },
    'node_modules/product': {},
    'node_modules/test-tool': { dev: true },
    'node_modules/for-another-system': { optional: true, os: ['plan9'] },
  },
};

let root = '';
let printed = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proveklar-install-'));
  mkdirSync(join(root, 'part'));
  writeFileSync(join(root, 'package.json'), '{"workspaces":["part"]}');
  writeFileSync(join(root, 'part/package.json'), '{}');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(LOCKFILE));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

it('installs when nothing is installed', () => {
  expect(isInstalled(root)).toBe(false);
  expect(isInstalled(root, 'run')).toBe(false);
});

it.each(['run', 'all'] as const)('does not install %s twice', (level) => {
  markInstalled(root, level);
  expect(isInstalled(root, level)).toBe(true);
});

it('counts as installed for a run when everything is installed', () => {
  markInstalled(root, 'all');
  expect(isInstalled(root, 'run')).toBe(true);
});

it('counts as not installed for tests when only the runtime packages are installed', () => {
  markInstalled(root, 'run');
  expect(isInstalled(root, 'all')).toBe(false);
});

it.each(['package.json', 'part/package.json', 'package-lock.json'])(
  'installs again when %s changed',
  (file) => {
    markInstalled(root);
    writeFileSync(join(root, file), '{"workspaces":["part"],"changed":true}');
    expect(isInstalled(root)).toBe(false);
    expect(isInstalled(root, 'run')).toBe(false);
  },
);

it('does not depend on the folder of the project', () => {
  markInstalled(root);
  const other = mkdtempSync(join(tmpdir(), 'proveklar-install-'));
  cpSync(root, other, { recursive: true });
  expect(isInstalled(other)).toBe(true);
  rmSync(other, { recursive: true });
});

describe('npm is asked to install', () => {
  beforeEach(() => {
    printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    useNpm('');
  });

  it('the runtime packages, by commands that only run the product', async () => {
    await install(root, 'run');
    expect(npmCalls()).toEqual([expect.stringContaining('--omit=dev')]);
    expect(printed).toMatch(/^Installing packages: 1 \(about \d+ MB, once\)/);
    expect([isInstalled(root, 'run'), isInstalled(root, 'all')]).toEqual([true, false]);
  });

  it('without a script of a package', async () => {
    await install(root, 'all');
    expect(npmCalls()).toEqual([expect.stringMatching(/^install --ignore-scripts /)]);
  });

  it('all packages, by tests', async () => {
    await install(root, 'all');
    expect(npmCalls()).toEqual([expect.stringContaining('--include=dev')]);
    expect(printed).toMatch(/^Installing packages: 2 \(/);
    expect(isInstalled(root, 'all')).toBe(true);
  });

  it('the rest, by tests after a start', async () => {
    await install(root, 'run');
    writePackage('product');
    printed = '';
    await install(root, 'all');
    expect(printed).toMatch(/^Installing the packages for tests and checks: 1 \(about \d+ MB/);
    expect(isInstalled(root, 'all')).toBe(true);
  });

  it('all packages again, by a start after a change, if the test tools were installed', async () => {
    markInstalled(root, 'all');
    writeFileSync(join(root, 'part/package.json'), '{"changed":true}');
    await install(root, 'run');
    expect(npmCalls()).toEqual([expect.not.stringContaining('--omit=dev')]);
    expect(isInstalled(root, 'all')).toBe(true);
  });

  it('all packages, by a start after a manual npm install', async () => {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, HIDDEN_LOCKFILE), '{}');
    await install(root, 'run');
    expect(npmCalls()).toEqual([expect.not.stringContaining('--omit=dev')]);
  });

  it.each(['run', 'all'] as const)('%s again after an interruption', async (level) => {
    markInstalled(root, 'run');
    writeFileSync(join(root, 'part/package.json'), '{"changed":true}');
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('exits');
    });
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    useNpm('process.kill(process.pid, "SIGKILL");');
    await expect(install(root, level)).rejects.toThrow('exits');
    expect(exit).toHaveBeenCalledWith(1);
    expect([isInstalled(root, 'run'), isInstalled(root, 'all')]).toEqual([false, false]);

    useNpm('');
    await install(root, 'run');
    const option = { run: '--omit=dev', all: '--include=dev' }[level];
    expect(npmCalls().at(-1)).toContain(option);
    expect(isInstalled(root, level)).toBe(true);
  });
});

it('runs the install script of the package that package.json allows, and of no other', async () => {
  const names = ['allowed', 'refused', 'unnamed'];
  for (const name of names) {
    mkdirSync(join(root, name));
    const postinstall = `node -e "fs.writeFileSync('../ran-${name}', '')"`;
    write(`${name}/package.json`, { name, version: '1.0.0', scripts: { postinstall } });
  }
  write('package.json', {
    dependencies: Object.fromEntries(names.map((name) => [name, `file:${name}`])),
    allowScripts: { allowed: true, refused: false },
  });
  rmSync(join(root, 'package-lock.json'));
  vi.stubEnv('npm_execpath', undefined);
  // As in a shell: under npm test it is that of our .npmrc.
  vi.stubEnv('npm_config_ignore_scripts', undefined);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await install(root, 'all');
  const ran = names.filter((name) => existsSync(join(root, `ran-${name}`)));
  expect(ran).toEqual(['allowed']);
}, 60_000);

/** A fake npm that records its arguments, and then runs `more`. */
function useNpm(more: string): void {
  const npm = join(root, 'npm.cjs');
  const note = `require('node:fs').appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');`;
  writeFileSync(npm, `${note}\n${more}`);
  chmodSync(npm, 0o755);
  vi.stubEnv('npm_execpath', npm);
}

function npmCalls(): string[] {
  const calls = join(root, 'npm-calls');
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
}

function write(file: string, content: object): void {
  writeFileSync(join(root, file), JSON.stringify(content));
}

function writePackage(name: string): void {
  const folder = join(root, 'node_modules', name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
}
