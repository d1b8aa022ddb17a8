import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_TIMEOUT_MS, WAIT_TIMEOUT_MS } from './tests/support/hang.ts';

const NEVER = ['**/node_modules/**', '**/dist/**', '.local/**'];
const BROWSER = ['tests/browser/**/*.test.ts'];
// `npm test` is what one waits for; LARGE=1, as in `.ci/run`, adds these. Those in containers need a
// Docker engine, and build the images.
const LARGE = ['**/*.large.test.ts', 'tests/containers/**'];
// `.ci/run` draws LEFT_OUT_FILES.
const LEFT_OUT =
  process.env.LARGE === '1' || process.env.FULL === '1'
    ? [...NEVER, ...(process.env.LEFT_OUT_FILES?.split(',') ?? [])]
    : [...NEVER, ...LARGE];
const FULL_FILES = process.env.FULL_FILES?.split(',') ?? [];

/** What holds in every project. */
const EVERYWHERE = {
  // Half of a test's time is waiting for another process, so each core has two files to go on with.
  maxWorkers: 2 * availableParallelism(),
  // Files share workers: what one replaced must not be there in the next.
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  // A test that waits fails when it hangs, never because the machine is slow.
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
  // `.ci/run` repeats the message of each failure without its diff.
  chaiConfig: { truncateThreshold: 2_000 },
  setupFiles: [
    supportFile('unstub.ts'),
    ...(process.env.TEST_PROFILE ? [supportFile('profile-polls.ts')] : []),
  ],
};

function supportFile(name: string): string {
  return new URL(`tests/support/${name}`, import.meta.url).pathname;
}

/** Files that start processes and browsers take longest. Begun last, they would be waited for alone. */
const LONG = [
  /whole-system|^tests\/fuzz\//,
  /^tests\/browser\//,
  /^tests\/(faults|rolling)\//,
  /openapi-examples/,
  /^tests\/(payments|events|imports)\//,
  /^tests\//,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const file = relative(import.meta.dirname, moduleId);
      if (FULL_FILES.includes(file)) return -1;
      const at = LONG.findIndex((pattern) => pattern.test(file));
      return at === -1 ? LONG.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, which returns a new array
    const bySize = await super.sort(files);
    return bySize.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // One database server, one identity emulator for the whole run; each only when first asked for.
    globalSetup: ['tests/support/global-setup.ts'],
    // `--changed` asks what imports what was changed, and nothing else.
    forceRerunTriggers: [],
    sequence: { sequencer: LongestFirst },
    ...EVERYWHERE,
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['**/*.test.ts'],
          exclude: [...LEFT_OUT, ...BROWSER, 'frontend/**'],
        },
      },
      {
        extends: './frontend/vite.config.ts',
        root: './frontend',
        test: {
          name: 'frontend',
          include: ['src/**/*.test.{ts,tsx}'],
          ...EVERYWHERE,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          exclude: LEFT_OUT,
        },
      },
    ],
  },
});
