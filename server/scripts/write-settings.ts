// Writes the tables of docs/settings.md from the definitions of the settings.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSettingTables } from '../src/app/settings/settings-document.ts';

const file = path.resolve(import.meta.dirname, '../../docs/settings.md');
writeFileSync(file, withSettingTables(readFileSync(file, 'utf8')));
