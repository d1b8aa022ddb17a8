import { parseArgs } from 'node:util';

/** `npm run test:faults -- --seed 1 --minutes 10`: breaks the whole system, on both kinds of queues. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    promises: { type: 'boolean', default: false },
  },
});
process.env.LARGE = '1';
process.env.FAULT_MINUTES = values.minutes;
if (values.seed) process.env.TEST_SEED = values.seed;
const files = ['--project', 'code', 'tests/faults/whole-system.large.test.ts'];
process.argv.splice(2, Infinity, ...(values.promises ? ['--promises'] : []), ...files);
await import('@proveklar/local/run-tests.ts');
