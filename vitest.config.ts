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
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
