import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
// @ts-expect-error -- plain JavaScript: it runs before anything is installed
import { isInstalled, markInstalled } from '@proveklar/local/bootstrap/install.mjs';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proveklar-install-'));
  mkdirSync(join(root, 'part'));
  writeFileSync(join(root, 'package.json'), '{"workspaces":["part"]}');
  writeFileSync(join(root, 'part/package.json'), '{}');
  writeFileSync(join(root, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

it('installs when nothing is installed', () => {
  expect(isInstalled(root)).toBe(false);
});

it('does not install twice', () => {
  markInstalled(root);
  expect(isInstalled(root)).toBe(true);
});

it.each(['package.json', 'part/package.json', 'package-lock.json'])(
  'installs again when %s changed',
  (file) => {
    markInstalled(root);
    writeFileSync(join(root, file), '{"workspaces":["part"],"changed":true}');
    expect(isInstalled(root)).toBe(false);
  },
);

it('does not mind where the project lies', () => {
  markInstalled(root);
  const other = mkdtempSync(join(tmpdir(), 'proveklar-install-'));
  cpSync(root, other, { recursive: true });
  expect(isInstalled(other)).toBe(true);
  rmSync(other, { recursive: true });
});
