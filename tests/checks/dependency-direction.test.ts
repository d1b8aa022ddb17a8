import { checkDirection } from '@proveklar/local/check/dependency-direction.ts';
import { describe, expect, it } from 'vitest';
import { SERVICE_LAYERS } from '@proveklar/local/check/service-layers.ts';
import { plantRepository } from './planted-repository.ts';

const OUTSIDE = ['pg', 'stripe', 'firebase-admin', 'ioredis', 'bullmq'];

/** What each workspace may import, by both ways of writing it. */
const SOUND = {
  'frontend/src/main.tsx': `import './app/router.ts';`,
  'frontend/src/app/router.ts': `import '#features/quiz/start.ts';`,
  'frontend/src/features/quiz/start.ts': `import '#lib/api.ts'; import '#features/quiz/key.ts';`,
  'frontend/src/features/quiz/key.ts': `export const key = 1;`,
  'frontend/src/features/account/page.ts': `export const page = 1;`,
  'frontend/src/lib/api.ts': `import type { Quiz } from '@proveklar/contract/quiz.ts';`,
  'contract/quiz.ts': `import { uuid } from './common.ts'; export type Quiz = typeof uuid;`,
  'gateway/openapi/examples/quiz.ts': `import '@proveklar/contract/quiz.ts';`,
  'contract/common.ts': `export const uuid = '';`,
  'gateway/app.ts': `import '@proveklar/services/quiz/start-quiz.ts'; import '@proveklar/contract/quiz.ts';`,
  'services/quiz/start-quiz.ts': `import 'pg'; import '#quiz/draw.ts'; import '@proveklar/contract/quiz.ts';`,
  'services/quiz/draw.ts': `import 'stripe'; import 'firebase-admin'; import 'ioredis';`,
  'services/privacy/export.ts': `import '#quiz/draw.ts';`,
  'migrations/20260101000000_index.ts': `export const up = '';`,
  'workers/statistics.ts': `import 'bullmq'; import '@proveklar/services/quiz/start-quiz.ts';`,
  'local/stack.ts': `import '@proveklar/gateway/app.ts'; import '@proveklar/workers/statistics.ts';`,
  'stripe-stand-in/server.ts': `import type Stripe from 'stripe'; export type { Stripe };`,
  'stripe-stand-in/server.test.ts': `import 'stripe';`,
  'stripe-stand-in/test-support.ts': `import 'stripe';`,
  'local/postgres/cluster.ts': `import 'pg';`,
  'tests/journey.ts': `import '@proveklar/local/stack.ts';`,
  'bench/run.ts': `import '@proveklar/local/stack.ts'; import '@proveklar/gateway/app.ts';`,
};

/** A forbidden import: the rule that must name it, importing file, specifier, what it resolves to. */
type Planted = [rule: string, from: string, specifier: string, to: string, form?: Form];
type Form = (specifier: string) => string;

const asValue: Form = (specifier) => `import '${specifier}';\n`;
/** Forbidden imports are planted in each of these forms in turn. */
const FORMS: Form[] = [
  asValue,
  (specifier) => `import type { A } from '${specifier}';\n`,
  (specifier) => `export { a } from '${specifier}';\n`,
  (specifier) => `export const later = () => import('${specifier}');\n`,
];

/** Every forbidden import. */
const FORBIDDEN: Planted[] = [
  ...edges('frontend-knows-only-the-contract', 'frontend/src/lib/planted.ts', [
    'gateway/app.ts',
    'gateway/openapi/examples/quiz.ts',
    'services/quiz/draw.ts',
    'workers/statistics.ts',
    'local/stack.ts',
  ]),
  ...edges('contract-imports-nothing-of-ours', 'contract/planted.ts', [
    'gateway/app.ts',
    'gateway/openapi/examples/quiz.ts',
    'services/quiz/draw.ts',
    'frontend/src/lib/api.ts',
  ]),
  ...edges('gateway-calls-only-services', 'gateway/planted.ts', [
    'workers/statistics.ts',
    'local/stack.ts',
    'frontend/src/lib/api.ts',
  ]),
  ...edges('workers-call-only-services', 'workers/planted.ts', [
    'gateway/app.ts',
    'gateway/openapi/examples/quiz.ts',
    'local/stack.ts',
    'frontend/src/lib/api.ts',
  ]),
  ...edges('services-import-no-other-workspace', 'services/quiz/planted.ts', [
    'gateway/openapi/examples/quiz.ts',
    'migrations/20260101000000_index.ts',
    'workers/statistics.ts',
    'local/stack.ts',
    'frontend/src/lib/api.ts',
  ]),
  ...SERVICE_LAYERS.flatMap(([folder], layer) =>
    edges(`services-layer-${layer}`, `services/${folder!}/planted-layer.ts`, [
      'services/privacy/export.ts',
    ]),
  ),
  ...edges('every-folder-of-services-has-a-layer', 'services/quiz/planted-attic.ts', [
    'services/attic/box.ts',
  ]),
  ...edges('local-leaves-the-frontend-alone', 'local/planted.ts', ['frontend/src/lib/api.ts']),
  ...edges('stand-in-imports-nothing-of-ours', 'stripe-stand-in/planted.ts', [
    'contract/quiz.ts',
    'services/quiz/draw.ts',
    'local/stack.ts',
  ]),
  ...edges('bench-leaves-the-frontend-alone', 'bench/planted.ts', ['frontend/src/lib/api.ts']),
  ...['local', 'tests'].flatMap((workspace) =>
    edges('no-imports-of-bench', `${workspace}/planted-bench.ts`, ['bench/run.ts']),
  ),
  ...['frontend/src', 'gateway', 'contract', 'services', 'workers', 'local', 'bench'].flatMap(
    (workspace) =>
      edges('no-imports-of-tests', `${workspace}/planted-test.ts`, ['tests/journey.ts']),
  ),
  ...['gateway', 'workers', 'frontend/src/lib'].flatMap((workspace) =>
    ['pg', 'stripe', 'firebase-admin', 'ioredis'].map((name) =>
      outside('only-services-know-outside-systems', `${workspace}/planted-${name}.ts`, name),
    ),
  ),
  ...['local', 'stripe-stand-in', 'tests', 'tests/support'].map((workspace) =>
    outside('stand-ins-know-types-only', `${workspace}/planted-client.ts`, 'stripe', asValue),
  ),
  ...['local', 'stripe-stand-in', 'tests'].map((workspace) =>
    outside('only-set-up-knows-postgres', `${workspace}/planted-sql.ts`, 'pg', asValue),
  ),
  ...['local', 'stripe-stand-in', 'tests'].map((workspace) =>
    outside('only-set-up-knows-redis', `${workspace}/planted-redis.ts`, 'ioredis', asValue),
  ),
  ...['gateway', 'local', 'frontend/src/lib'].map((workspace) =>
    outside(
      'only-services-workers-and-operators-know-queues',
      `${workspace}/planted-queue.ts`,
      'bullmq',
    ),
  ),
  ...edges('operators-see-only-services', 'operators/planted.ts', [
    'gateway/app.ts',
    'workers/statistics.ts',
    'local/stack.ts',
  ]),
  ...edges('features-do-not-import-each-other', 'frontend/src/features/quiz/planted.ts', [
    'frontend/src/features/account/page.ts',
  ]),
  ...edges('features-do-not-import-app', 'frontend/src/features/quiz/planted-app.ts', [
    'frontend/src/app/router.ts',
  ]),
  ...edges('shared-imports-no-feature-and-no-app', 'frontend/src/components/planted.ts', [
    'frontend/src/features/account/page.ts',
    'frontend/src/app/router.ts',
  ]),
  ['every-import-resolves', 'services/planted-lost.ts', '#quiz/lost.ts', '#quiz/lost.ts'],
];

function edges(rule: string, from: string, targets: string[]): Planted[] {
  const up = '../'.repeat(from.split('/').length - 1);
  return targets.map((to) => [rule, from, `${up}${to}`, to]);
}

function outside(rule: string, from: string, name: string, form?: Form): Planted {
  return [rule, from, name, `node_modules/${name}/dist/index.js`, form];
}

function plant(planted: Planted[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [index, [, from, specifier, , form]] of planted.entries()) {
    const write = form ?? FORMS[index % FORMS.length]!;
    files[from] = (files[from] ?? '') + write(specifier);
  }
  return files;
}

describe('the direction of dependencies', () => {
  it('finds nothing in a clean repository, and reads all of it', async () => {
    const { problems, modules, dependencies } = await checkDirection(
      plantRepository(SOUND, OUTSIDE),
    );
    expect(problems).toEqual([]);
    expect(modules).toBe(Object.keys(SOUND).length);
    expect(dependencies).toBe(Object.values(SOUND).join().split('import').length - 1);
  });

  it('names every forbidden import, and nothing else', async () => {
    const attic = { 'services/attic/box.ts': `export const box = 1;` };
    const root = plantRepository({ ...SOUND, ...attic, ...plant(FORBIDDEN) }, OUTSIDE);
    const { problems } = await checkDirection(root);
    const expected = FORBIDDEN.map(([rule, from, , to]) => `${rule}: ${from} → ${to}`);
    expect(problems.toSorted()).toEqual(expected.toSorted());
  });

  it('names a cycle', async () => {
    const root = plantRepository({
      'services/a.ts': `import '#b.ts';`,
      'services/b.ts': `import type { A } from './a.ts'; export type B = A;`,
    });
    const { problems } = await checkDirection(root);
    expect(problems).toContain('no-cycles: services/a.ts → services/b.ts → services/a.ts');
  });

  it('fails when files, or the imports in them, are not read', async () => {
    const root = plantRepository(SOUND, OUTSIDE);
    const overlooked = await checkDirection(root, { exclude: { path: '^workers/' } });
    expect(overlooked.problems).toEqual(['not read: workers/statistics.ts']);
    const blind = await checkDirection(root, { moduleSystems: ['amd'] });
    expect(blind.problems).toContain('imports not read: workers/statistics.ts');
    expect(blind.problems).toContain('imports not read: frontend/src/lib/api.ts');
  });
});
