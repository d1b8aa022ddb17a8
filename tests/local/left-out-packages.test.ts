import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';

// package.json's overrides replace packages that are never loaded by an empty one. A new version of their
// users may begin to load them, which fails here before a user meets an empty module.
const EMPTY = '@favware/skip-dependency';

it.each([
  [
    'local',
    ['firebase-tools/lib/emulator/auth/apiSpec', 'firebase-tools/lib/emulator/auth/server'],
  ],
  ['services', ['firebase-admin/app', 'firebase-admin/auth']],
])(
  'the parts of Firebase that %s uses load no left-out package',
  (workspace, modules) => {
    const require = createRequire(join(PROJECT_DIR, workspace, 'package.json'));
    for (const name of modules) require(name);
    const loaded = new Set(Object.keys(require.cache).map(packageOf));
    expect(loaded).toContain(packageOf(require.resolve(modules[0]!)));
    const names = [...loaded].map((folder) => nameOf(folder));
    expect(names).not.toContain(EMPTY);
  },
  60_000,
);

it('firebase-tools finds the empty package in place of each left-out one', () => {
  const manifest = JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')) as {
    overrides: Record<'firebase-tools', Record<string, string>>;
  };
  const local = createRequire(join(PROJECT_DIR, 'local/package.json'));
  const require = createRequire(local.resolve('firebase-tools/package.json'));
  const leftOut = Object.keys(manifest.overrides['firebase-tools']);
  const found = leftOut.map((name) => nameOf(packageOf(require.resolve(name))));
  expect(new Set(found)).toEqual(new Set([EMPTY]));
});

/** The folder of the package that a file belongs to. */
function packageOf(file: string): string {
  const parts = file.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at === -1) return dirname(file);
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep);
}

function nameOf(folder: string): string {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string })
      .name;
  } catch {
    return folder;
  }
}
