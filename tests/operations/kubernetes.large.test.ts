import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadOnDemand } from '@proveklar/local/on-demand.ts';
import { GatewayConfig, MigrateConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { DEPLOY } from './expressions.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[] } } };
}
interface Container {
  name: string;
  env?: { name: string; value: string }[];
}

const MODELS = {
  name: "Kubernetes' types",
  folder: 'tests/operations/kubernetes-models',
  megabytes: 26,
};
await loadOnDemand(MODELS, (line) => process.stdout.write(`${line}\n`));

const folder = `${DEPLOY}kubernetes/`;
const files = readdirSync(folder);
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(folder + file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Manifest;
  }),
);

const scratch = mkdtempSync(join(tmpdir(), 'proveklar-manifests-'));
afterAll(() => rmSync(scratch, { recursive: true }));

// Modules in this folder find the packages as if they were the project's own.
symlinkSync(join(`${DEPLOY}..`, MODELS.folder, 'node_modules'), join(scratch, 'node_modules'));
writeFileSync(join(scratch, 'load.mjs'), 'export const load = (name) => import(name);\n');
const { load } = (await import(join(scratch, 'load.mjs'))) as {
  load: (name: string) => Promise<unknown>;
};

/** The module with the types and the validator of a kind. */
const moduleOf = ({ apiVersion }: Manifest) =>
  apiVersion.startsWith('keda.sh/')
    ? `@kubernetes-models/keda/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;

// The packages' validators accept unknown fields, and so misspelt ones. Their types do not, once the
// compiler checks the manifest as a literal.
function faultsOf(checked: readonly Manifest[]): string {
  const lines = checked.map(
    (manifest, n) => `import type { I${manifest.kind} as T${n} } from '${moduleOf(manifest)}';
export const m${n}: T${n} = ${JSON.stringify(manifest, null, 2)};`,
  );
  const options = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  const config = { compilerOptions: options, files: ['manifests.mts'] };
  writeFileSync(join(scratch, 'manifests.mts'), lines.join('\n'));
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config));
  return spawnSync(join(DEPLOY, '../node_modules/.bin/tsc'), ['-p', scratch], { encoding: 'utf8' })
    .stdout;
}

test('the manifests match the types of Kubernetes and KEDA, and say that they were not run', () => {
  expect(faultsOf(manifests)).toBe('');
  for (const file of files) expect(readFileSync(folder + file, 'utf8')).toMatch(/^# NOT RUN:/u);
});

test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
  '%s %s has valid values',
  async (kind, _name, manifest) => {
    type Model = new (manifest: Manifest) => { validate: () => void };
    const models = (await load(moduleOf(manifest))) as Record<string, Model>;
    const model = new models[kind]!(manifest);
    expect(() => model.validate()).not.toThrow();
  },
);

test('a misspelt field is found', () => {
  const misspelt = structuredClone(manifests);
  const pods = misspelt.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []));
  Object.assign(pods[0]!.containers[0]!, { readynessProbe: {} });
  expect(faultsOf(misspelt)).toContain('readynessProbe');
});

test('each process gets every required variable, and no unknown one', () => {
  const shared = Object.keys(manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {});
  const schemas = { gateway: GatewayConfig, worker: WorkersConfig, migrate: MigrateConfig };
  const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  expect(containers.map(({ name }) => name).toSorted()).toEqual(Object.keys(schemas).toSorted());
  const elsewhere = ['GOOGLE_APPLICATION_CREDENTIALS'];
  const known = new Set([
    ...Object.values(schemas).flatMap(({ properties }) => Object.keys(properties)),
    ...elsewhere,
  ]);
  // Set by the image.
  const inImage = ['HOST', 'PORT', 'FRONTEND_DIR'];
  for (const { name, env = [] } of containers) {
    const given = [...shared, ...env.map((variable) => variable.name)].map((variable) =>
      variable.replace(/_FILE$/u, ''),
    );
    expect(given.filter((variable) => !known.has(variable))).toEqual([]);
    const { required = [] } = schemas[name as keyof typeof schemas] as { required?: string[] };
    const defaults = schemas[name as keyof typeof schemas].properties as Record<
      string,
      { default?: unknown }
    >;
    const missing = required.filter(
      (variable) =>
        ![...given, ...inImage].includes(variable) && defaults[variable]?.default === undefined,
    );
    expect(missing, name).toEqual([]);
  }
});
