import { runInOurPlace } from './set-up.mjs';

await runInOurPlace('scripts/make-release.ts', process.argv.slice(2));
