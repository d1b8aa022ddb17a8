import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OwnSettings, stackSettings } from '@proveklar/local/settings.ts';
import {
  GatewayConfig,
  MigrateConfig,
  ServiceConfig,
  WorkersConfig,
} from '@proveklar/services/config/config.ts';
import product from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The rows of the tables in docs/operations/configuration.md. */
const rows = readText('docs/operations/configuration.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [name = '', users = '', meaning = '', local = '', production = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return {
      name: name.replaceAll('`', ''),
      users: users.split(', '),
      meaning,
      local: local.replaceAll('`', ''),
      production,
    };
  });

const names = rows.map(({ name }) => name);
const ofProcesses = Object.keys(ServiceConfig.properties);
const ofStack = Object.keys(OwnSettings.properties);

/** Variables that a library reads. */
const OF_LIBRARIES = ['GOOGLE_APPLICATION_CREDENTIALS', 'OTEL_EXPORTER_OTLP_HEADERS'];

/** The variables in the Compose files, .env.example and the files of deploy/. */
function ofDeployment(): string[] {
  const shell = (text: string) =>
    Array.from(text.matchAll(/\$\{?([A-Z][A-Z_]+)/g), ([, name]) => name!);
  const caddy = (text: string) => Array.from(text.matchAll(/\{\$([A-Z_]+)/g), ([, name]) => name!);
  const settings = (text: string) =>
    Array.from(text.matchAll(/^#?([A-Z][A-Z_]+)=/gm), ([, name]) => name!);
  const scripts = globSync('deploy/**/*.{sh,yml}', { cwd: ROOT });
  return [
    ...shell(readText('docker-compose.yml')),
    ...shell(readText('docker-compose.override.yml')),
    ...scripts.flatMap((file) => shell(readText(file))),
    ...caddy(readText('deploy/proxy/Caddyfile')),
    ...settings(readText('.env.example')),
  ];
}

/** Whether it is the `NAME_FILE` of a known variable `NAME`. */
function isFileOf(name: string, known: Set<string>): boolean {
  return name.endsWith('_FILE') && known.has(name.slice(0, -'_FILE'.length));
}

test('the configuration page lists every variable that is read, and no other', () => {
  const read = new Set([...ofProcesses, ...ofStack, ...OF_LIBRARIES, ...ofDeployment()]);
  const wanted = [...read].filter((name) => !isFileOf(name, read));
  expect(names.toSorted()).toEqual(wanted.toSorted());
});

test.each(rows)('the configuration page describes $name', (row) => {
  for (const cell of [row.users.join(), row.meaning, row.local, row.production]) {
    expect(cell).not.toBe('');
  }
});

test.each(ofProcesses)('the configuration page says which processes read %s', (name) => {
  const { users } = rows.find((row) => row.name === name)!;
  const expected = Object.entries({
    gateway: GatewayConfig.properties,
    workers: WorkersConfig.properties,
    migrate: MigrateConfig.properties,
  }).flatMap(([process, properties]) => (name in properties ? [process] : []));
  const processes = users.filter((user) => ['gateway', 'workers', 'migrate'].includes(user));
  expect(processes).toEqual(expected);
});

test.each([...ofProcesses, ...ofStack])(
  'the configuration page has the local default of %s',
  (name) => {
    const { environment } = stackSettings({});
    const { default: standard } = { ...OwnSettings.properties, ...ServiceConfig.properties }[
      name
    ] as { default?: string | number };
    const value = (environment as Record<string, string>)[name] ?? standard;
    const shown = value === undefined ? '–' : String(value).replace(`${ROOT}/`, '');
    // Written in package.json only.
    const expected =
      name === 'VERSION' ? shown.replace(product.version, 'that of package.json') : shown;
    expect(rows.find((row) => row.name === name)!.local).toBe(expected);
  },
);
