import { readFileSync, writeFileSync } from 'node:fs';
import { dashboardOpenApiDocument, routeList } from '../src/dashboard/openapi.ts';
import {
  dashboardApiPrefix,
  dashboardOperations,
  dashboardStreamOperations,
} from '../src/dashboard/operations.ts';
import { openApiDocument } from '../src/openapi/openapi.ts';
import { denseJson } from './dense-json.ts';
import { withErrors } from './error-document.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
write('openapi.json', denseJson(openApiDocument({ version })));
write('dashboard-openapi.json', denseJson(dashboardOpenApiDocument({ version })));
write(
  'src/dashboard/routes.ts',
  routeList(dashboardApiPrefix, { ...dashboardOperations, ...dashboardStreamOperations }),
);
write(
  '../docs/errors.md',
  withErrors(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')),
);

function write(file: string, text: string): void {
  writeFileSync(new URL(`../${file}`, import.meta.url), text);
}
