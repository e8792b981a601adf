// Writes the tables of docs/settings.md from the definitions of the settings and of the log.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withTables } from '../src/app/settings/settings-document.ts';

const file = path.resolve(import.meta.dirname, '../../docs/settings.md');
writeFileSync(file, withTables(readFileSync(file, 'utf8')));
