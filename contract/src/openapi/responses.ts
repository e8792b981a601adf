import type { TSchema } from 'typebox';
import { exampleOf } from '../shared/examples.ts';
import { exampleIds } from '../shared/schemas.ts';
import type { Components, Content, Reference, ResponseObject } from './document.ts';
import { type HeaderName, headersWith } from './headers.ts';
import type { NamedSchemas } from './schemas.ts';

/** The error codes of an API and the schema of its error responses. */
export interface ErrorTable {
  readonly status: Readonly<Record<string, number>>;
  /** What each code means and what to do next. */
  readonly help: Readonly<Record<string, string>>;
  /** Codes that many operations have in common, grouped by why an operation returns them. */
  readonly common: Readonly<Record<string, readonly string[]>>;
  /** The codes of `common` that are returned before the request reaches an operation. */
  readonly beforeOperation: readonly string[];
  readonly body: TSchema;
  /** The headers of an error response by status, in addition to those of every response. */
  readonly headers: Readonly<Record<number, readonly HeaderName[]>>;
}

/** The responses of an operation. */
export interface DescribedResponses {
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly body: TSchema | null;
    readonly mediaType?: string;
  };
  /** The headers of the success response. */
  readonly headers: readonly HeaderName[];
  /** Whether the operation can respond with 304. */
  readonly notModified: boolean;
  readonly errorCodes: readonly string[];
}

/** The success response and every error response of the operation, by status. */
export function responsesOf(
  { success, headers, notModified, errorCodes }: DescribedResponses,
  errors: ErrorTable,
  named: NamedSchemas,
) {
  const responses: Record<string, ResponseObject | Reference> = {
    [success.status]: successOf(success, headers, named),
  };
  if (notModified) responses[304] = { $ref: '#/components/responses/NotModified' };
  const common = commonCodesOf(errors);
  for (const [status, codes] of byStatus(errorCodes, errors)) {
    const shared = codes.every((code) => common.has(code)) && sharedStatuses[status];
    responses[status] = shared
      ? { $ref: `#/components/responses/${shared}` }
      : apiError(status, codes, errors, named);
  }
  responses.default = { $ref: '#/components/responses/BeforeOperation' };
  return responses;
}

/** The error responses that all operations share. */
export function sharedErrors(errors: ErrorTable, named: NamedSchemas): Components['responses'] {
  const { beforeOperation, status } = errors;
  const shared: Components['responses'] = {
    BeforeOperation: {
      ...errorBody(beforeOperation, errors, named),
      description: `Errors that are returned before the request reaches an operation: ${beforeOperation
        .map((code) => `${status[code]} \`${code}\``)
        .join(', ')}.`,
      headers: headersWith('Allow'),
    },
  };
  for (const [status, codes] of byStatus([...commonCodesOf(errors)], errors)) {
    const name = sharedStatuses[status];
    if (name) shared[name] = apiError(status, codes, errors, named);
  }
  return shared;
}

/** The response to `If-None-Match` when the resource is unchanged. */
export const notModified: ResponseObject = {
  description: 'Not modified: the resource still has the `ETag` in `If-None-Match`.',
  headers: headersWith('ETag'),
};

/** One example of the error body for each code. */
export function errorExamples(codes: readonly string[], { help }: ErrorTable): Components['examples'] {
  const examples: Components['examples'] = {};
  for (const code of codes) {
    const message = 'limit is too large. Use a whole number from 1 to 100.';
    const details = code === 'invalid_request' && { details: [{ path: '/limit', message }] };
    const value = { error: { code, message: help[code], requestId: exampleIds.request, ...details } };
    examples[code] = { summary: help[code]!, value };
  }
  return examples;
}

/** If all codes of a status are common codes, all operations share one response. */
const sharedStatuses: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

function successOf(
  { description, body, mediaType = 'application/json' }: DescribedResponses['success'],
  headers: readonly HeaderName[],
  named: NamedSchemas,
): ResponseObject {
  return {
    description,
    headers: headersWith(...headers),
    ...(body && { content: { [mediaType]: { schema: named.refer(body), example: exampleOf(body) } } }),
  };
}

function apiError(
  status: number,
  codes: readonly string[],
  errors: ErrorTable,
  named: NamedSchemas,
): ResponseObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${errors.help[code]}`).join('\n'),
    headers: headersWith(...(errors.headers[status] ?? [])),
    ...errorBody(codes, errors, named),
  };
}

function errorBody(
  codes: readonly string[],
  { body }: ErrorTable,
  named: NamedSchemas,
): { content: Content } {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return { content: { 'application/json': { schema: named.refer(body), examples } } };
}

function commonCodesOf({ common }: ErrorTable): Set<string> {
  return new Set(Object.values(common).flat());
}

function byStatus(codes: readonly string[], errors: ErrorTable): [number, string[]][] {
  const groups = Map.groupBy(codes, (code) => errors.status[code]!);
  return [...groups].sort(([a], [b]) => a - b);
}
