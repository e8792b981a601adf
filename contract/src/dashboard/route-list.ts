import type { OperationShape } from '../shared/operation.ts';

/** The source of `routes.ts`: method and path of each operation, for pages that load no schemas. */
export function routeList(prefix: string, operations: Readonly<Record<string, OperationShape>>): string {
  const lines = Object.values(operations).map(({ id, method, path }) => `  ${id}: '${method} ${path}',\n`);
  return `// Generated from the operations by \`npm run openapi\`. Do not edit.

/** The URL path of the dashboard API. */
export const dashboardApiPrefix = '${prefix}';

/** Method and path of each operation, relative to the prefix. */
export const dashboardRoutes = {
${lines.join('')}} as const;
`;
}
