/**
 * The direction of dependencies in docs/architecture.md. `local/check/dependency-direction.ts` checks it;
 * tests/checks/dependency-direction.test.ts plants a violation of each rule and expects it to be reported.
 */

import { SERVICE_LAYERS } from './local/check/service-layers.ts';

const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A test beside its code may use the shared test support, and the real clients. */
const TEST = '[.]test[.]tsx?$';

const layerRules = SERVICE_LAYERS.map((folders, layer) =>
  forbid(
    `services-layer-${layer}`,
    'A folder of services imports only from layers below its own.',
    { path: `^services/(${folders.join('|')})/`, pathNot: TEST },
    { path: `^services/(?!$1/)(${SERVICE_LAYERS.slice(layer).flat().join('|')})/` },
  ),
);

export default {
  forbidden: [
    ...layerRules,
    forbid(
      'every-folder-of-services-has-a-layer',
      'Add a new folder to SERVICE_LAYERS.',
      {},
      {
        path: `^services/(?!(node_modules|${SERVICE_LAYERS.flat().join('|')})/)[^/]+/`,
        pathNot: TEST,
      },
    ),
    forbid(
      'frontend-knows-only-the-contract',
      'The browser code knows the API only by its contract.',
      { path: '^frontend/' },
      {
        path: '^(gateway|services|workers|operators|local|stripe-stand-in|bench|migrations)/',
      },
    ),
    forbid(
      'contract-imports-nothing-of-ours',
      'It runs in the browser and on every server, and its imports would too.',
      { path: '^contract/' },
      {
        path: '^(frontend|gateway|services|workers|operators|local|stripe-stand-in|bench|migrations)/',
      },
    ),
    forbid(
      'gateway-calls-only-services',
      'A route calls a service; later work starts from an event.',
      { path: '^gateway/' },
      { path: '^(frontend|workers|local|stripe-stand-in|bench|migrations)/' },
    ),
    forbid(
      'workers-call-only-services',
      'A worker takes a job and calls one service.',
      { path: '^workers/' },
      { path: '^(frontend|gateway|local|stripe-stand-in|bench|migrations)/' },
    ),
    forbid(
      'operators-see-only-services',
      'Pages and metrics for operators do not depend on the process that serves them.',
      { path: '^operators/' },
      { path: '^(frontend|gateway|workers|local|stripe-stand-in|bench|migrations)/' },
    ),
    forbid(
      'services-import-no-other-workspace',
      'The business logic does not depend on its callers.',
      { path: '^services/' },
      { path: '^(frontend|gateway|workers|operators|local|stripe-stand-in|bench|migrations)/' },
    ),
    forbid(
      'local-leaves-the-frontend-alone',
      'The local stack serves the built frontend and does not import its sources.',
      { path: '^local/' },
      { path: '^frontend/' },
    ),
    forbid(
      'stand-in-imports-nothing-of-ours',
      'It stands in for another company, which knows nothing of our code.',
      { path: '^stripe-stand-in/', pathNot: TEST },
      {
        path: '^(contract|frontend|gateway|services|workers|operators|local|tests|bench|migrations)/',
      },
    ),
    forbid(
      'bench-leaves-the-frontend-alone',
      'The benchmarks measure the built frontend and do not import its sources.',
      { path: '^bench/' },
      { path: '^frontend/' },
    ),
    forbid(
      'no-imports-of-bench',
      'Benchmark code stays out of the product and its tests.',
      { path: '^(local|tests)/' },
      { path: '^bench/' },
    ),
    forbid(
      'no-imports-of-tests',
      'Test code stays out of the product.',
      { pathNot: ['^tests/', TEST] },
      { path: '^tests/' },
    ),
    forbid(
      'only-services-know-outside-systems',
      'Only services use the clients of PostgreSQL, Stripe, Firebase, Redis and mail.',
      { pathNot: ['^(services|local|stripe-stand-in|tests)/', TEST] },
      { path: packages('pg', 'stripe', 'firebase-admin', 'ioredis', 'nodemailer') },
    ),
    forbid(
      'stand-ins-know-types-only',
      'A stand-in imports the types of the real client; only its tests run that client against it.',
      { path: '^(local|stripe-stand-in|tests)/', pathNot: [TEST, '/test-support[.]ts$'] },
      {
        path: packages('stripe', 'firebase-admin', 'nodemailer'),
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'only-set-up-knows-postgres',
      'Only set-up creates databases, before services connect; after that, only services query them.',
      { path: '^(local|stripe-stand-in|tests)/', pathNot: '^(local/postgres|tests/support)/' },
      { path: packages('pg'), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-set-up-knows-redis',
      'Tests read queues through services; only set-up starts, empties and breaks Redis itself.',
      { path: '^(local|stripe-stand-in|tests)/', pathNot: ['^tests/support/', TEST] },
      { path: packages('ioredis'), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-services-workers-and-operators-know-queues',
      'A request that adds a job directly can lose it: events go through the outbox.',
      { pathNot: '^(services|workers|operators)/' },
      { path: packages('bullmq') },
    ),
    forbid(
      'features-do-not-import-each-other',
      'Code that two features need is below them, or `app` composes it.',
      { path: '^frontend/src/features/([^/]+)/' },
      { path: '^frontend/src/features/', pathNot: '^frontend/src/features/$1/' },
    ),
    forbid(
      'features-do-not-import-app',
      '`app` composes the features, so it is above them.',
      { path: '^frontend/src/features/' },
      { path: '^frontend/src/app/' },
    ),
    forbid(
      'shared-imports-no-feature-and-no-app',
      'The shared folders are below the features.',
      { path: '^frontend/src/[^/]+/', pathNot: '^frontend/src/(features|app)/' },
      { path: '^frontend/src/(features|app)/' },
    ),
    forbid('no-cycles', 'No file of a cycle can be read alone.', {}, { circular: true }),
    forbid(
      'every-import-resolves',
      'An import that does not resolve would pass every other rule unchecked.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    // With TypeScript 7 the default parser reads nothing and reports success.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)node_modules/' },
    // Only our own output: a looser pattern would also exclude packages whose files are in `dist/`.
    exclude: { path: '^(?!node_modules/)[^/]+/(dist|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts', '.css'],
    },
  },
};
