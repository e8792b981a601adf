import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/openapi.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const document = openApiDocument({ version });
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
