import { runOnLockedNode } from '../scripts/set-up.mjs';

await runOnLockedNode('docs-site/build.ts', process.argv.slice(2));
