import { runOnLockedNode } from './set-up.mjs';

await runOnLockedNode('node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)], {
  forDevelopment: true,
});
