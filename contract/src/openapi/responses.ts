import { errorHelp } from '../error-help.ts';
import { commonErrorCodes, ErrorBody, type ErrorCode, errorStatus } from '../errors.ts';
import { exampleOf } from '../examples.ts';
import { errorCodesOf, type Operation, takesIdempotencyKey, takesIfNoneMatch } from '../operation.ts';
import { exampleIds } from '../schemas.ts';
import type { Components, Reference, ResponseObject } from './document.ts';
import { type HeaderName, headersWith } from './headers.ts';
import type { NamedSchemas } from './schemas.ts';

/** The success, and every refusal that the operation can answer with, by status. */
export function responsesOf(operation: Operation, named: NamedSchemas) {
  const responses: Record<string, ResponseObject | Reference> = {
    [operation.success.status]: successOf(operation, named),
  };
  if (takesIfNoneMatch(operation)) responses[304] = { $ref: '#/components/responses/NotModified' };
  for (const [status, codes] of byStatus(errorCodesOf(operation))) {
    const shared = codes.every((code) => commonCodes.has(code)) && sharedStatuses[status];
    responses[status] = shared ? { $ref: `#/components/responses/${shared}` } : refusal(status, codes, named);
  }
  responses.default = { $ref: '#/components/responses/BeforeOperation' };
  return responses;
}

/** The responses that are the same for every operation that gives them. */
export function sharedResponses(named: NamedSchemas): Components['responses'] {
  const shared: Components['responses'] = {
    BeforeOperation: {
      ...refusalBody(commonErrorCodes.beforeOperation, named),
      description: `What is answered before the request has reached an operation: ${commonErrorCodes.beforeOperation
        .map((code) => `${errorStatus[code]} \`${code}\``)
        .join(', ')}.`,
      headers: headersWith('Allow'),
    },
    NotModified: {
      description: 'Not modified: the resource still has the `ETag` in `If-None-Match`.',
      headers: headersWith('ETag'),
    },
  };
  for (const [status, codes] of byStatus([...commonCodes])) {
    const name = sharedStatuses[status];
    if (name) shared[name] = refusal(status, codes, named);
  }
  return shared;
}

/** The error body for each of the codes, written once. */
export function errorExamples(codes: readonly ErrorCode[]): Components['examples'] {
  const examples: Components['examples'] = {};
  for (const code of codes) {
    const value: ErrorBody = { error: { code, message: errorHelp[code], requestId: exampleIds.request } };
    if (code === 'invalid_request') {
      const message = 'limit is too large. Use a whole number from 1 to 100.';
      value.error.details = [{ path: '/limit', message }];
    }
    examples[code] = { summary: errorHelp[code], value };
  }
  return examples;
}

const commonCodes: ReadonlySet<ErrorCode> = new Set(Object.values(commonErrorCodes).flat());

/** Where all codes of a status are common ones, one response serves every operation. */
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

const statusHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function successOf(operation: Operation, named: NamedSchemas): ResponseObject {
  const { description, body } = operation.success;
  const headers: HeaderName[] = [...operation.success.headers];
  if (takesIdempotencyKey(operation)) headers.push('Idempotency-Replayed');
  return {
    description,
    headers: headersWith(...headers),
    ...(body && {
      content: { 'application/json': { schema: named.refer(body), example: exampleOf(body) } },
    }),
  };
}

function refusal(status: number, codes: readonly ErrorCode[], named: NamedSchemas): ResponseObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorHelp[code]}`).join('\n'),
    headers: headersWith(...(statusHeaders[status] ?? [])),
    ...refusalBody(codes, named),
  };
}

function refusalBody(codes: readonly ErrorCode[], named: NamedSchemas) {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return { content: { 'application/json': { schema: named.refer(ErrorBody), examples } } };
}

function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code) => errorStatus[code]);
  return [...groups].sort(([a], [b]) => a - b);
}
