// Writes the configurations of the proxies in examples/compose from those of the guides.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { composeConfigurations } from './compose-configurations.ts';

for (const [name, text] of Object.entries(composeConfigurations())) {
  const file = path.resolve(import.meta.dirname, '../examples/compose', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
