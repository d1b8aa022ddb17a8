import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';

// package.json's overrides put an empty package in the place of what is never loaded. A new version of
// these packages may begin to load it: here that is noticed before a user meets an empty module.
const EMPTY = '@favware/skip-dependency';

it.each([
  [
    'local',
    ['firebase-tools/lib/emulator/auth/apiSpec', 'firebase-tools/lib/emulator/auth/server'],
  ],
  ['services', ['firebase-admin/app', 'firebase-admin/auth']],
])(
  'what %s uses of Firebase loads nothing that is left out',
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

it('what is left out is that empty package where firebase-tools looks for it', () => {
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
