import { afterAll, vi } from 'vitest';

// A setup file of all tests. Vitest's own `unstubGlobals` and `unstubEnvs` act before the next test: files share
// workers, so what the last test of one replaced would still be there when the next file is loaded.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
