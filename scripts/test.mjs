import { runInOurPlace } from './set-up.mjs';

await runInOurPlace('node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]);
