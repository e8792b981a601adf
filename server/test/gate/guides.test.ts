import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configurations, readConfiguration } from './proxies.ts';

const guides = path.dirname(configurations);

test.each(readdirSync(configurations))('a guide contains the complete %s, as the tests use it', (name) => {
  const block = `\n${readConfiguration(name)}\`\`\`\n`;
  const holders = readdirSync(guides)
    .filter((guide) => guide.endsWith('.md'))
    .filter((guide) => readFileSync(path.join(guides, guide), 'utf8').includes(block));
  expect(holders).toHaveLength(1);
});
