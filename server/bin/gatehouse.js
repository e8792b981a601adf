#!/usr/bin/env node
// Plain JavaScript for any Node, so that an old one is told what it lacks rather than shown a syntax error.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`Gatehouse needs Node.js 24 or later; this is ${process.versions.node}.`);
  process.exit(1);
}
const { main } = await import('../src/commands/main.ts');
await main(process.argv);
