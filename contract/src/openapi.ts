import { commonErrorCodes, type ErrorCode, errorCodes } from './errors.ts';
import { exampleOf } from './examples.ts';
import type { OpenApiDocument, OperationObject } from './openapi/document.ts';
import { headers } from './openapi/headers.ts';
import { introduction } from './openapi/introduction.ts';
import { headerParameters, parametersOf } from './openapi/parameters.ts';
import { errorExamples, responsesOf, sharedResponses } from './openapi/responses.ts';
import { NamedSchemas } from './openapi/schemas.ts';
import { errorCodesOf, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { tags } from './tags.ts';

export type { OpenApiDocument } from './openapi/document.ts';

export interface OpenApiOptions {
  /** The version of Gatehouse. */
  readonly version: string;
  /** Where the API is served; by default relative to the document. */
  readonly serverUrl?: string;
}

/** The OpenAPI 3.1 document of the API, put together from the operations. */
export function openApiDocument({ version, serverUrl = '/api/v1' }: OpenApiOptions): OpenApiDocument {
  const named = new NamedSchemas();
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of Object.values<Operation>(operations)) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = operationObject(operation, named);
    paths[operation.path] = path;
  }
  const responses = sharedResponses(named);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      summary: 'Members of a website and their access groups',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'gate_…',
          description:
            'The API key of a site. The permission that an operation needs is listed as the role of its requirement.',
        },
      },
      parameters: headerParameters,
      headers,
      responses,
      schemas: named.sorted(),
      examples: errorExamples(answeredCodes()),
    },
  };
}

/** The codes that the API answers with, in the order of the table; other parts of Gatehouse have some more. */
function answeredCodes(): ErrorCode[] {
  const answered = new Set<ErrorCode>([
    ...commonErrorCodes.beforeOperation,
    ...Object.values<Operation>(operations).flatMap(errorCodesOf),
  ]);
  return errorCodes.filter((code) => answered.has(code));
}

function operationObject(operation: Operation, named: NamedSchemas): OperationObject {
  const { id, summary, tag, permission, body } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    summary,
    description: [operation.description, permissionText(operation)].filter(Boolean).join('\n\n'),
    tags: [tag],
    security: permission ? [{ apiKey: [permission] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: named.refer(body), example: exampleOf(body) } },
      },
    }),
    responses: responsesOf(operation, named),
  };
}

function permissionText({ permission, furtherPermissions = [] }: Operation): string {
  if (permission === null) return '';
  const further = furtherPermissions.map(({ permission, path, values }) => {
    const field = path.slice(1).replaceAll('/*', '').replaceAll('/', '.');
    const named = values?.map((value) => `\`${value}\``).join(' or ');
    return ` With \`${field}\`${named ? ` ${named}` : ''} it needs \`${permission}\` as well.`;
  });
  return `Needs the permission \`${permission}\`.${further.join('')}`;
}
