/**
 * The direction of the arrows in docs/architecture.md. `local/check/dependency-direction.ts` runs
 * it; tests/checks/dependency-direction.test.ts plants a violation of each rule and sees it named.
 */

import { SERVICE_FLOORS } from './local/check/service-floors.ts';

const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A test beside the code it tests may use what the tests share, and the real clients. */
const TEST = '[.]test[.]tsx?$';

const floorRules = SERVICE_FLOORS.map((folders, floor) =>
  forbid(
    `services-floor-${floor}`,
    'A folder of services imports only from floors below its own.',
    { path: `^services/(${folders.join('|')})/`, pathNot: TEST },
    { path: `^services/(?!$1/)(${SERVICE_FLOORS.slice(floor).flat().join('|')})/` },
  ),
);

export default {
  forbidden: [
    ...floorRules,
    forbid(
      'every-folder-of-services-has-a-floor',
      'A new folder gets its place in SERVICE_FLOORS.',
      {},
      {
        path: `^services/(?!(node_modules|${SERVICE_FLOORS.flat().join('|')})/)[^/]+/`,
        pathNot: TEST,
      },
    ),
    forbid(
      'frontend-knows-only-the-contract',
      'The browser code knows the API by its contract and nothing else.',
      { path: '^frontend/' },
      {
        path: '^(gateway|services|workers|operators|local|stripe-stand-in|bench|migrations)/',
      },
    ),
    forbid(
      'contract-imports-nothing-of-ours',
      'It runs in the browser and on every server: whatever it imported would come along.',
      { path: '^contract/' },
      {
        path: '^(frontend|gateway|services|workers|operators|local|stripe-stand-in|bench|migrations)/',
      },
    ),
    forbid(
      'gateway-calls-only-services',
      'HTTP calls a service; what happens afterwards is the business of events.',
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
      'What operators look at is the same for every process that shows it.',
      { path: '^operators/' },
      { path: '^(frontend|gateway|workers|local|stripe-stand-in|bench|migrations)/' },
    ),
    forbid(
      'services-import-no-other-room',
      'The business does not know who calls it.',
      { path: '^services/' },
      { path: '^(frontend|gateway|workers|operators|local|stripe-stand-in|bench)/' },
    ),
    forbid(
      'local-leaves-the-frontend-alone',
      'The local stack serves what was built; it does not import it.',
      { path: '^local/' },
      { path: '^frontend/' },
    ),
    forbid(
      'stand-in-imports-nothing-of-ours',
      'It stands for another company: what it knows of us is the API that it is called with.',
      { path: '^stripe-stand-in/', pathNot: TEST },
      {
        path: '^(contract|frontend|gateway|services|workers|operators|local|tests|bench|migrations)/',
      },
    ),
    forbid(
      'bench-leaves-the-frontend-alone',
      'The benchmarks measure what is built and what runs; they do not import it.',
      { path: '^bench/' },
      { path: '^frontend/' },
    ),
    forbid(
      'nobody-imports-bench',
      'What only compares stays out of everything that runs.',
      { path: '^(local|tests)/' },
      { path: '^bench/' },
    ),
    forbid(
      'nobody-imports-tests',
      'Test code stays out of everything that runs.',
      { pathNot: ['^tests/', TEST] },
      { path: '^tests/' },
    ),
    forbid(
      'only-services-know-outside-systems',
      'PostgreSQL, Stripe, Firebase, Redis and mail are known to services and nobody else.',
      { pathNot: ['^(services|local|stripe-stand-in|tests)/', TEST] },
      { path: packages('pg', 'stripe', 'firebase-admin', 'ioredis', 'nodemailer') },
    ),
    forbid(
      'stand-ins-know-types-only',
      'A stand-in is typed against the real client; only its tests run that client against it.',
      { path: '^(local|stripe-stand-in|tests)/', pathNot: [TEST, '/test-support[.]ts$'] },
      {
        path: packages('stripe', 'firebase-admin', 'nodemailer'),
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'only-set-up-knows-postgres',
      'Databases are made before services can connect; everything after that is theirs.',
      { path: '^(local|stripe-stand-in|tests)/', pathNot: '^(local/postgres|tests/support)/' },
      { path: packages('pg'), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-set-up-knows-redis',
      'Queues are looked at as the services look at them; Redis itself is started, emptied and broken.',
      { path: '^(local|stripe-stand-in|tests)/', pathNot: ['^tests/support/', TEST] },
      { path: packages('ioredis'), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'only-services-workers-and-operators-know-queues',
      'A request that adds a job by itself can lose it: events go through the outbox.',
      { pathNot: '^(services|workers|operators)/' },
      { path: packages('bullmq') },
    ),
    forbid(
      'features-do-not-import-each-other',
      'What two features need lies below them, or `app` composes it.',
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
    forbid('no-cycles', 'Neither end can be read alone.', {}, { circular: true }),
    forbid(
      'every-import-resolves',
      'An import that resolves to nothing would pass every other rule unseen.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    // Under TypeScript 7 the default parser reads nothing and reports success.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)node_modules/' },
    // Only our own output: a looser pattern also drops packages that live in their `dist/`.
    exclude: { path: '^(?!node_modules/)[^/]+/(dist|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts', '.css'],
    },
  },
};
