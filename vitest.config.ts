import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { testFiles } from './scripts/test-files.ts';

const files = testFiles(import.meta.dirname);

/** The files of one project, in processes that each run one file after the other. Projects run one after the other. */
function project(
  name: keyof typeof files,
  groupOrder: number,
  maxWorkers: number,
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: files[name],
      sequence: { groupOrder },
      maxWorkers,
      // Modules are loaded once for each process, not for each file. No test leaves them changed.
      isolate: false,
      setupFiles: 'server/test/use-seed.ts',
      pool: 'forks',
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // What the programs and threads under test have parsed is kept for the next, as it is for people.
      env: { NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, 'node_modules/.cache/compile') },
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: 'server/test/global-setup.ts',
    // For two cores: tests of the API wait half of their time, for a database or another process; browsers do not.
    projects: [project('unit', 0, 2), project('api', 1, 3), project('browser', 2, 2)],
  },
});
