import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '../../..');

/** Runs what takes the pictures of the documents. It is no test, so that `npm test` does not find it. */
export default defineConfig({
  root,
  test: {
    include: ['server/test/tour/*.tour.ts'],
    globalSetup: 'server/test/global-setup.ts',
    setupFiles: ['server/test/tour/stop-clock.ts', 'server/test/use-seed.ts'],
    pool: 'forks',
    maxWorkers: 1,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
