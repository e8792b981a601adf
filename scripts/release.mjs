import { runOnLockedNode } from './set-up.mjs';

// The client is built with packages that only developers need.
await runOnLockedNode('scripts/release/make-release.ts', process.argv.slice(2), { forDevelopment: true });
