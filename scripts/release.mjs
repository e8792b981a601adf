import { runOnLockedNode } from './set-up.mjs';

await runOnLockedNode('scripts/make-release.ts', process.argv.slice(2));
