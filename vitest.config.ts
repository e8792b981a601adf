import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { testFiles } from './scripts/test-files.ts';
import { LongFilesFirst } from './scripts/test-order.ts';
import { isFullEffort } from './server/test/effort.ts';

const files = testFiles(import.meta.dirname, isFullEffort);

/** The files of one project, in processes that each run one file after the other. */
function project(name: keyof typeof files): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: files[name],
      // Groups run one after the other.
      sequence: { groupOrder: name === 'alone' ? 1 : 0 },
      // For two cores: most tests wait for a database, a browser or another process half of the time. Projects that run at the
      // same time need the same number.
      maxWorkers: 4,
      // Modules are loaded once for each process, not for each file. No test leaves them changed.
      isolate: false,
      setupFiles: 'server/test/use-seed.ts',
      pool: 'forks',
      // Tests run what Node itself loads, as the service does. Those of the dashboard have JSX, which Node does not know.
      experimental: name === 'unit' ? {} : { viteModuleRunner: false, nodeLoader: false },
      // Short tests make many objects that die young: a sixth less CPU time. More threads of V8 only wait for the cores.
      execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32', '--v8-pool-size=1'],
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // Only a limit for something that never happens.
      expect: { poll: { timeout: 20_000 } },
      // What the programs and threads under test have parsed is kept for the next, as it is for people.
      env: { NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, 'node_modules/.cache/compile') },
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: 'server/test/global-setup.ts',
    sequence: { sequencer: LongFilesFirst },
    projects: [
      project('unit'),
      project('api'),
      project('browser'),
      ...(isFullEffort ? [project('alone')] : []),
    ],
  },
});
