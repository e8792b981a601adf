import type { OpenApiDocument, OperationObject, ParameterObject } from '../openapi/document.ts';
import { headers } from '../openapi/headers.ts';
import { placedParametersOf } from '../openapi/parameters.ts';
import { type ErrorTable, errorExamples, responsesOf, sharedErrors } from '../openapi/responses.ts';
import { NamedSchemas } from '../openapi/schemas.ts';
import { exampleOf } from '../shared/examples.ts';
import type { OperationShape } from '../shared/operation.ts';
import { exampleIds } from '../shared/schemas.ts';
import {
  commonDashboardErrorCodes,
  DashboardErrorBody,
  type DashboardErrorCode,
  dashboardErrorCodes,
  dashboardErrorHelp,
  dashboardErrorStatus,
} from './errors.ts';
import { type DashboardOperation, dashboardErrorCodesOf, dashboardTags } from './operation.ts';
import { dashboardApiPrefix, dashboardOperations, dashboardStreamOperations } from './operations.ts';

const described: readonly DashboardOperation[] = [
  ...Object.values(dashboardOperations),
  ...Object.values(dashboardStreamOperations),
];

/**
 * The OpenAPI 3.1 document of the dashboard API, which the pages of the dashboard call in addition to the public API.
 */
export function dashboardOpenApiDocument({ version }: { readonly version: string }): OpenApiDocument {
  const named = new NamedSchemas();
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of described) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = operationObject(operation, named);
    paths[operation.path] = path;
  }
  const responses = sharedErrors(errors, named);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse: the dashboard',
      version,
      summary: 'The API of the dashboard pages, in addition to the public API',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: dashboardApiPrefix }],
    security: [{ session: [] }],
    tags: Object.entries(dashboardTags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-gatehouse_operator',
          description:
            'The session of an operator; `gatehouse_operator` if the dashboard is served without https.',
        },
      },
      parameters: { Operator: operatorParameter },
      headers: usedHeaders([paths, responses]),
      responses,
      schemas: named.sorted(),
      examples: errorExamples(returnedCodes(), errors),
    },
  };
}

const introduction = `The API that the pages of the dashboard call with the session of the operator. It is not part of the public API and
may change with every release, because pages and service belong to the same release.

Everything about a site uses the public API, with the token of \`createOperatorToken\`.

## Requests

The rules of the public API apply: JSON of at most 1 MiB, no unknown fields or parameters, and the same body for every
error. A change that was sent by a page of another site is rejected with \`permission_denied\`, based on \`Sec-Fetch-Site\` or
\`Origin\`. A body that is not JSON is rejected with \`unsupported_media_type\`, because a form could send it.`;

const operatorParameter: ParameterObject = {
  name: 'X-Gatehouse-Operator',
  in: 'header',
  description:
    'The operator that the page belongs to. If another operator has logged in in the same browser since, the request ' +
    'is rejected with `other_operator`.',
  schema: { type: 'string' },
  example: exampleIds.operator,
};

const errors: ErrorTable = {
  status: dashboardErrorStatus,
  help: dashboardErrorHelp,
  common: commonDashboardErrorCodes,
  beforeOperation: commonDashboardErrorCodes.beforeOperation,
  body: DashboardErrorBody,
  headers: { 429: ['Retry-After'], 503: ['Retry-After'] },
};

function operationObject(operation: DashboardOperation, named: NamedSchemas): OperationObject {
  const { id, summary, description, tag, body, success, loggedOut } = operation;
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: loggedOut ? [] : [{ session: [] }],
    parameters: [...placedParametersOf(operation), { $ref: '#/components/parameters/Operator' }],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: named.refer(body), example: exampleOf(body) } },
      },
    }),
    responses: responsesOf(
      { success, headers: [], notModified: false, errorCodes: dashboardErrorCodesOf(operation) },
      errors,
      named,
    ),
  };
}

function returnedCodes(): DashboardErrorCode[] {
  const returned = new Set<DashboardErrorCode>([
    ...commonDashboardErrorCodes.beforeOperation,
    ...described.flatMap(dashboardErrorCodesOf),
  ]);
  return dashboardErrorCodes.filter((code) => returned.has(code));
}

function usedHeaders(described: unknown): OpenApiDocument['components']['headers'] {
  const text = JSON.stringify(described);
  const used = Object.entries(headers).filter(([name]) => text.includes(`"#/components/headers/${name}"`));
  return Object.fromEntries(used);
}

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
