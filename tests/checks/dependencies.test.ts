import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFaults, renderPage } from '@proveklar/local/check/dependencies.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The check of docs/dependencies.md on a small project.

const PAGE = `# Dependencies

<!-- table: direct -->

| Package | Licence | Runs | Named by | What for |
|---|---|---|---|---|
| \`good\` | MIT | production | gateway | a purpose |

<!-- table: licences -->

| Licence | Packages | In the image | In the browser, at most | Judgement |
|---|---|---|---|---|
| MIT | 2 | 2 | 0 | permitted |
`;

let root = '';
let manifest = { workspaces: ['gateway'], allowScripts: {} as Record<string, boolean> };
let packages: Record<string, Record<string, unknown>> = {};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dependencies-'));
  mkdirSync(join(root, 'docs'));
  manifest = { workspaces: ['gateway'], allowScripts: {} };
  packages = {
    '': {},
    gateway: { dependencies: { good: '^1.0.0' } },
    ...Object.fromEntries(
      ['services', 'workers', 'operators'].map((workspace): [string, object] => [workspace, {}]),
    ),
    'node_modules/gateway': { resolved: 'gateway', link: true },
    'node_modules/good': locked({ dependencies: { deep: '1.0.0' } }),
    'node_modules/good/node_modules/deep': locked({}),
  };
  write('docs/dependencies.md', PAGE);
  write('.npmrc', 'ignore-scripts=true\n');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('the check of dependencies', () => {
  it('accepts a project whose packages have hashes and permitted licences', () => {
    expect(faults()).toEqual([]);
  });

  it.each([
    ['a package without a hash', { integrity: undefined }, /deep .*has no SHA-512 integrity/],
    ['a package with a weak hash', { integrity: 'sha1-AAAA' }, /deep .*has no SHA-512 integrity/],
    ['a package with a host', { resolved: 'https://example.no/deep.tgz' }, /deep .*names a host/],
    ['an install script', { hasInstallScript: true }, /deep .*has an install script: read it/],
    ['a copyleft licence', { license: 'AGPL-3.0-only' }, /deep .*AGPL-3.0-only.*not permitted/],
    ['no licence', { license: undefined }, /deep .*licence unknown, which is not permitted/],
    [
      'one of two licences',
      { license: 'MIT AND GPL-3.0' },
      /deep .*MIT AND GPL-3.0.*not permitted/,
    ],
    ['a mixed expression', { license: '(MIT OR X) AND Y' }, /deep .*not permitted/],
    ['a licence of other packages', { license: 'MPL-2.0' }, /deep .*MPL-2.0.*not permitted/],
  ])('refuses %s', (_, change, message) => {
    Object.assign(packages['node_modules/good/node_modules/deep']!, change);
    expect(faults()).toContainEqual(expect.stringMatching(message));
  });

  it('accepts an install script that is named, and refuses the name of a package that left', () => {
    packages['node_modules/good']!.hasInstallScript = true;
    manifest.allowScripts = { good: false };
    expect(faults()).toEqual([]);
    manifest.allowScripts = { good: false, left: true };
    expect(faults()).toEqual([expect.stringContaining('names left, which is not installed')]);
  });

  it('accepts a choice of licences, and reads the old form from the installed package', () => {
    const deep = packages['node_modules/good/node_modules/deep']!;
    deep.license = '(GPL-3.0 OR MIT)';
    expect(withoutPage(faults())).toEqual([]);
    delete deep.license;
    mkdirSync(join(root, 'node_modules/good/node_modules/deep'), { recursive: true });
    write('node_modules/good/node_modules/deep/package.json', '{"licenses":[{"type":"MIT"}]}');
    expect(faults()).toEqual([]);
  });

  it('refuses a dependency that the lockfile lacks', () => {
    packages.gateway!.dependencies = { good: '^1.0.0', absent: '1.0.0' };
    expect(faults()).toContainEqual(expect.stringContaining('has no absent, which gateway needs'));
  });

  it('refuses a project that lets packages run scripts', () => {
    write('.npmrc', '# ignore-scripts=true\n');
    expect(faults()).toEqual(['.npmrc must say ignore-scripts=true.']);
  });

  it('refuses a page that is not up to date, and one that does not say what a package is for', () => {
    packages['node_modules/new'] = locked({});
    packages.gateway!.dependencies = { good: '^1.0.0', new: '1.0.0' };
    expect(faults()).toEqual([expect.stringContaining('is not up to date')]);
    write('docs/dependencies.md', renderPage(root));
    expect(faults()).toEqual([expect.stringContaining('the row of `new` says nothing')]);
    write('docs/dependencies.md', renderPage(root).replace('gateway |  |', 'gateway | news |'));
    expect(faults()).toEqual([]);
    expect(renderPage(root)).toContain('| `good` | MIT | production | gateway | a purpose |');
  });
});

function faults(): string[] {
  writeManifests();
  return findFaults(root);
}

function withoutPage(all: string[]): string[] {
  return all.filter((fault) => !fault.includes('is not up to date'));
}

function writeManifests(): void {
  write('package.json', JSON.stringify({ name: 'planted', version: '1.0.0', ...manifest }));
  mkdirSync(join(root, 'gateway'), { recursive: true });
  write('gateway/package.json', JSON.stringify({ name: 'gateway', ...packages.gateway }));
  write('package-lock.json', JSON.stringify({ name: 'planted', lockfileVersion: 3, packages }));
}

function write(file: string, content: string): void {
  writeFileSync(join(root, file), content);
}

function locked(more: object): Record<string, unknown> {
  return { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT', ...more };
}
