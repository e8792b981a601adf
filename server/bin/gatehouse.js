#!/usr/bin/env node
// Plain JavaScript for any Node, so that an old one is told what it lacks rather than shown a syntax error.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`Gatehouse needs Node.js 24 or later; this is ${process.versions.node}.`);
  process.exit(1);
}
// The parsed program is kept for the next start, beside the packages, where only their owner can write. Threads read
// the environment.
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);

const { main } = await import('../src/commands/main.ts');
await main(process.argv);
