// Takes the pictures of the documents, of an invented club: those of the tour, of setting up Notion, and of the design of
// the dashboard. Not part of the tests, because the pictures change with every change of the pages.

import { runOnLockedNode } from '../set-up.mjs';

const config = 'server/test/tour/vitest.config.ts';
await runOnLockedNode(
  'node_modules/vitest/vitest.mjs',
  ['run', '--config', config, ...process.argv.slice(2)],
  { forDevelopment: true },
);
