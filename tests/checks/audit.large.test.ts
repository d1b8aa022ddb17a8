import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from '@proveklar/local/check/dependencies.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

// Each test starts npm, which takes a second, and asks a registry of our own.

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

describe('the question for known vulnerabilities', () => {
  const ADVISORY = {
    id: 1,
    url: 'https://example.no/1',
    title: 'planted',
    vulnerable_versions: '<2.0.0',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  };

  it.each([405, 404, 500])('is not answered by a registry that says %i', async (status) => {
    expect(await ask(status)).toMatchObject({ answered: false, status, severe: [] });
  });

  it('is not answered without a connection', async () => {
    writeProject();
    const options = ['--registry', 'http://127.0.0.1:9', '--fetch-retries=0'];
    expect(await audit(root, options)).toMatchObject({ answered: false, status: undefined });
  });

  it('fails, and is not taken for unanswered, when npm cannot read the lockfile', async () => {
    await expect(audit(root)).rejects.toThrow('npm audit failed');
  });

  it.each(['high', 'critical'])('names a package with a %s one', async (severity) => {
    const { answered, severe } = await ask(200, { good: [{ ...ADVISORY, severity }] });
    expect({ answered, severe }).toEqual({ answered: true, severe: [`good 1.0.0: ${severity}`] });
  });

  it('counts a moderate one', async () => {
    const result = await ask(200, { good: [{ ...ADVISORY, severity: 'moderate' }] });
    expect(result).toMatchObject({ answered: true, known: 1, severe: [] });
  });

  it('finds none in a registry that knows of none', async () => {
    expect(await ask(200)).toMatchObject({ answered: true, known: 0, severe: [] });
  });

  /** Asks a registry that answers the list of vulnerabilities so. */
  async function ask(status: number, advisories: object = {}) {
    const versions = Object.fromEntries(
      ['1.0.0', '2.0.0'].map((version) => [version, { name: 'good', version }]),
    );
    const registry = createServer((request, response) => {
      const isList = request.method === 'POST';
      response.writeHead(isList ? status : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? advisories : { name: 'good', versions }));
    });
    await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void registry.close());
    const { port } = registry.address() as AddressInfo;
    writeProject();
    const url = `http://127.0.0.1:${port}`;
    return await audit(root, [
      '--registry',
      url,
      '--cache',
      join(root, 'cache'),
      '--fetch-retries=0',
    ]);
  }
});

function writeProject(): void {
  const dependencies = { good: '^1.0.0' };
  const project = { name: 'planted', version: '1.0.0', dependencies };
  const packages = {
    '': project,
    'node_modules/good': { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT' },
  };
  write('package.json', project);
  write('package-lock.json', { name: 'planted', lockfileVersion: 3, packages });
}

function write(file: string, content: object): void {
  writeFileSync(join(root, file), JSON.stringify(content));
}
