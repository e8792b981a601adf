import { writeFileSync } from 'node:fs';
import { apiSources } from './api-source.ts';

for (const [name, source] of Object.entries(await apiSources())) {
  writeFileSync(new URL(`../src/api/${name}`, import.meta.url), source);
}
