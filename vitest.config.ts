import { defineConfig } from 'vitest/config';

const NEVER = ['**/node_modules/**', '**/dist/**', '.local/**'];
const BROWSER = ['tests/browser/**/*.test.ts'];
// `npm test` is what one waits for: these, and others at their full size, run with FULL=1 only. Those in
// containers need a Docker engine, and build the images.
const LARGE = process.env.FULL === '1' ? [] : ['**/*.large.test.ts', 'tests/containers/**'];

const SETUP = process.env.TEST_PROFILE
  ? [new URL('tests/support/profile-polls.ts', import.meta.url).pathname]
  : [];

export default defineConfig({
  test: {
    // One database server, one identity emulator for the whole run; each only when first asked for.
    globalSetup: ['tests/support/global-setup.ts'],
    // Most of a test's time is waiting for the database, so no core is left out.
    maxWorkers: '100%',
    setupFiles: SETUP,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['**/*.test.ts'],
          exclude: [...NEVER, ...LARGE, ...BROWSER, 'frontend/**'],
        },
      },
      {
        extends: './frontend/vite.config.ts',
        root: './frontend',
        test: { name: 'frontend', setupFiles: SETUP, include: ['src/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          exclude: [...NEVER, ...LARGE],
          // A journey starts a whole stack and a browser: beside the other tests there is room for that. With
          // FULL=1 these are most of what runs, and two at a time would only slow both.
          fileParallelism: process.env.FULL !== '1',
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
