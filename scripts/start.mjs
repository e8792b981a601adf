import { runOnLockedNode } from './set-up.mjs';

await runOnLockedNode('server/bin/gatehouse.js', ['serve', '--sample', ...process.argv.slice(2)]);
