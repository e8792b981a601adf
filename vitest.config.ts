import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['contract', 'server', 'client', 'dashboard', 'scripts'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    globalSetup: 'server/test/global-setup.ts',
    setupFiles: 'server/test/use-seed.ts',
    pool: 'forks',
    // Two at a time, as a machine with two cores has no more to give beside the databases.
    maxWorkers: 2,
    // These end what hangs, and nothing else: a busy machine takes several times as long for a test as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
