import { operations, streamOperations } from '../operations.ts';
import { type ErrorCode, errorCodes, errorHelp, errorStatus } from '../shared/error-codes.ts';
import { commonErrorCodes, ErrorBody } from '../shared/errors.ts';
import { exampleOf } from '../shared/examples.ts';
import {
  acceptsIdempotencyKey,
  acceptsIfNoneMatch,
  errorCodesOf,
  type FurtherPermission,
  type Operation,
} from '../shared/operation.ts';
import { tags } from '../shared/tags.ts';
import type { OpenApiDocument, OperationObject } from './document.ts';
import { headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { headerParameters, parametersOf } from './parameters.ts';
import {
  type DescribedResponses,
  type ErrorTable,
  errorExamples,
  notModified,
  responsesOf,
  sharedErrors,
} from './responses.ts';
import { NamedSchemas } from './schemas.ts';
import { webhookHeaders, webhooksOf } from './webhooks.ts';

export type { OpenApiDocument } from './document.ts';

export interface OpenApiOptions {
  /** The version of Gatehouse. */
  readonly version: string;
  /** The URL of the API; by default relative to the document. */
  readonly serverUrl?: string;
}

/** Every operation of the document. */
const described: readonly Operation[] = [...Object.values(operations), ...Object.values(streamOperations)];

/** The OpenAPI 3.1 document of the API, built from the operations. */
export function openApiDocument({ version, serverUrl = '/api/v1' }: OpenApiOptions): OpenApiDocument {
  const named = new NamedSchemas();
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of described) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = operationObject(operation, named);
    paths[operation.path] = path;
  }
  const { BeforeOperation, ...otherErrors } = sharedErrors(errors, named);
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
    webhooks: webhooksOf(named),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'gate_…',
          description:
            'The API key of a site. The permission that an operation needs is listed as the role of its security ' +
            'requirement.',
        },
      },
      parameters: { ...headerParameters, ...webhookHeaders },
      headers,
      responses: { BeforeOperation: BeforeOperation!, NotModified: notModified, ...otherErrors },
      schemas: named.sorted(),
      examples: errorExamples(returnedCodes(), errors),
    },
  };
}

const errors: ErrorTable = {
  status: errorStatus,
  help: errorHelp,
  common: commonErrorCodes,
  beforeOperation: commonErrorCodes.beforeOperation,
  body: ErrorBody,
  headers: { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] },
};

/** The codes that the API returns, in the order of the table; other parts of Gatehouse have further codes. */
function returnedCodes(): ErrorCode[] {
  const returned = new Set<ErrorCode>([
    ...commonErrorCodes.beforeOperation,
    ...described.flatMap(errorCodesOf),
  ]);
  return errorCodes.filter((code) => returned.has(code));
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
    responses: responsesOf(describedResponses(operation), errors, named),
  };
}

function describedResponses(operation: Operation): DescribedResponses {
  const { success } = operation;
  return {
    success,
    headers: [
      ...success.headers,
      ...(acceptsIdempotencyKey(operation) ? ['Idempotency-Replayed' as const] : []),
    ],
    notModified: acceptsIfNoneMatch(operation),
    errorCodes: errorCodesOf(operation),
  };
}

function permissionText({ permission, furtherPermissions = [] }: Operation): string {
  if (permission === null) return '';
  const conditions = Map.groupBy(furtherPermissions, ({ permission }) => permission);
  const further = [...conditions].map(([permission, causes]) => {
    const isAlways = causes.some(({ path }) => path === undefined);
    const when = isAlways ? 'It' : `With ${listText(causes.map(conditionText))} it`;
    return ` ${when} needs \`${permission}\` as well.`;
  });
  return `Needs the permission \`${permission}\`.${further.join('')}`;
}

/** The value with which a request needs a permission. */
function conditionText({ path = '', values }: FurtherPermission): string {
  const field = `\`${path.slice(1).replaceAll('/*', '').replaceAll('/', '.')}\``;
  if (values === undefined || values === 'any') return field;
  return `${field} ${values.map((value) => `\`${value}\``).join(' or ')}`;
}

function listText(items: readonly string[]): string {
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
