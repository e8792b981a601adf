import { runInOurPlace } from './set-up.mjs';

await runInOurPlace('server/bin/gatehouse.js', ['serve', ...process.argv.slice(2)]);
