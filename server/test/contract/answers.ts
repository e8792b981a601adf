import {
  acceptsIfNoneMatch,
  ErrorBody,
  type ErrorCode,
  errorCodesOf,
  type Operation,
  type OperationId,
  type OperationShape,
  operations,
} from '@gatehouse/contract';
import {
  DashboardErrorBody,
  type DashboardErrorCode,
  type DashboardOperation,
  type DashboardOperationId,
  dashboardErrorCodesOf,
  dashboardErrorStatus,
  dashboardOperations,
} from '@gatehouse/contract/dashboard';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { TestResponse } from '../test-server.ts';

/**
 * Checks a response against the contract: its status, its body including every field, and the headers that it must
 * and must not have. Returns the body of a success, and `error` of an error response.
 */
export function expectResponse(
  operationId: OperationId,
  answer: TestResponse,
  status: number,
  code?: ErrorCode,
  // biome-ignore lint/suspicious/noExplicitAny: the contract has just been checked
): any {
  const operation: Operation = operations[operationId];
  const expected = `${operationId} answered ${answer.status} ${answer.text.slice(0, 500)}`;
  expectSame(answer.status, status, expected);
  expectEveryHeader(answer);
  if (status >= 400) return expectApiError(operation, answer, code);
  if (status === 304 && acceptsIfNoneMatch(operation)) {
    expectSame(answer.text, '');
    expectSame(answer.headers.get('content-type'), null);
    expectMatch(answer.headers.get('etag'), etagForm);
    return undefined;
  }
  expectSame(status, operation.success.status, `${operationId} has no other success`);
  expectSuccessHeaders(operation, answer);
  if (operation.success.body === null) {
    expectSame(answer.text, '');
    expectSame(answer.headers.get('content-type'), null);
    return undefined;
  }
  expectSame(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  expectShape(successShape(operation), answer.body, expected);
  return answer.body;
}

/** As `expectResponse`, for the dashboard's own API. Gives the text of a success that is a page. */
export function expectDashboardAnswer(
  operationId: DashboardOperationId,
  answer: TestResponse,
  status: number,
  code?: DashboardErrorCode,
  // biome-ignore lint/suspicious/noExplicitAny: the contract has just been checked
): any {
  const operation: DashboardOperation = dashboardOperations[operationId];
  const { success } = operation;
  const expected = `${operationId} answered ${answer.status} ${answer.text.slice(0, 500)}`;
  expectSame(answer.status, status, expected);
  if (status >= 400) {
    const error = expectDashboardError(answer, status, code ?? answer.body?.error?.code);
    expectSame(dashboardErrorCodesOf(operation).includes(answer.body.error.code), true, expected);
    return error;
  }
  expectEveryHeader(answer);
  expectSame(status, success.status, `${operationId} has no other success`);
  if (success.body === null) {
    expectSame(answer.text, '');
    expectSame(answer.headers.get('content-type'), null);
    return undefined;
  }
  const mediaType = success.mediaType ?? 'application/json';
  expectSame(answer.headers.get('content-type'), `${mediaType}; charset=utf-8`);
  if (success.mediaType) return answer.text;
  expectShape(successShape(operation), answer.body, expected);
  return answer.body;
}

/** Like `expectError`, for the dashboard's own API. */
export function expectDashboardError(answer: TestResponse, status: number, code: DashboardErrorCode) {
  return expectError(answer, status, code, dashboardErrorShape);
}

/** Checks an error response that is not specific to an operation. Returns `error`. */
export function expectError(
  answer: TestResponse,
  status: number,
  code: DashboardErrorCode,
  shape = errorShape,
): { message: string; requestId: string; details?: { path: string; message: string }[] } {
  expectSame(answer.status, status, answer.text.slice(0, 500));
  expectEveryHeader(answer);
  expectSame(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  expectShape(shape, answer.body, answer.text.slice(0, 500));
  const { error } = answer.body;
  expectSame(error.code, code);
  expectSame(dashboardErrorStatus[code], status);
  expectSame(
    beginsWithAdvice.test(error.message),
    false,
    `The message says what to do before it says what happened: ${error.message}`,
  );
  expectMatch(error.message, /\.$/);
  expectSame(error.requestId, answer.headers.get('x-request-id'));
  const challenge = status === 401 && code !== 'logged_out' ? 'Bearer' : null;
  expectSame(answer.headers.get('www-authenticate'), challenge);
  const retryAfter = answer.headers.get('retry-after');
  if (status === 429 || status === 503) expectMatch(retryAfter, /^[1-9]\d*$/);
  else expectSame(retryAfter, null);
  expectSame(answer.headers.has('allow'), status === 405);
  expectSame(answer.headers.get('etag'), null);
  return error;
}

/** Checks the headers of every response, whatever its status, and that they are consistent. */
export function expectEveryHeader({ headers }: Pick<TestResponse, 'headers'>): void {
  const value = (name: string) => headers.get(name) ?? '';
  const limit = value('x-ratelimit-limit');
  const remaining = value('x-ratelimit-remaining');
  const reset = value('x-ratelimit-reset');
  const now = Date.now() / 1_000;
  const right: Record<string, boolean> = {
    'x-request-id': anyUuidForm.test(value('x-request-id')),
    'x-ratelimit-limit': wholeNumber.test(limit),
    'x-ratelimit-remaining': wholeNumber.test(remaining) && Number(remaining) <= Number(limit),
    'x-ratelimit-reset': wholeNumber.test(reset) && Number(reset) > now - 60 && Number(reset) <= now + 62,
    'ratelimit-policy': value('ratelimit-policy') === `"default";q=${limit};w=60`,
    ratelimit: new RegExp(`^"default";r=${remaining};t=([0-9]|[1-5][0-9]|60)$`).test(value('ratelimit')),
    'x-content-type-options': value('x-content-type-options') === 'nosniff',
  };
  for (const name in right) expectSame(right[name], true, `${name}: ${headers.get(name)}`);
}

/** The response without the parts that differ between two equal requests: the request ID, and the given IDs. */
export function withoutIds(answer: TestResponse, ...ids: string[]): { status: number; text: string } {
  let { text } = answer;
  for (const id of [answer.headers.get('x-request-id')!, ...ids]) text = text.replaceAll(id, '<id>');
  return { status: answer.status, text };
}

function expectApiError(operation: Operation, answer: TestResponse, code: ErrorCode | undefined) {
  const expected: ErrorCode = answer.body?.error?.code;
  const error = expectError(answer, answer.status, code ?? expected);
  expectSame(errorCodesOf(operation).includes(expected), true, `${operation.id} may not answer ${expected}`);
  return error;
}

function expectSuccessHeaders({ success }: Operation, { headers, body }: TestResponse): void {
  const declared: readonly string[] = success.headers;
  for (const name of ['Location', 'ETag']) expectSame(headers.has(name), declared.includes(name), name);
  if (declared.includes('ETag')) expectMatch(headers.get('etag'), etagForm);
  if (declared.includes('Location')) expectSame(URL.canParse(headers.get('location')!), true);
  const cursor: string | null = declared.includes('Link') ? body.pagination.nextCursor : null;
  if (cursor === null) expectSame(headers.get('link'), null);
  else expectMatch(headers.get('link'), new RegExp(`^<https?://[^>]+[?&]after=${cursor}[^>]*>; rel="next"$`));
  if (declared.includes('Link')) expectSame(body.pagination.hasMore, cursor !== null);
  for (const name of ['retry-after', 'www-authenticate', 'allow']) expectSame(headers.get(name), null);
}

/**
 * As `toBe`. Nearly every response of the tests is checked, and an expectation of Vitest takes time even when it holds, so
 * one is made only to report a failure.
 */
function expectSame(actual: unknown, expected: unknown, message?: string): void {
  if (actual !== expected) expect(actual, message).toBe(expected);
}

/** As `toMatch`. */
function expectMatch(text: string | null, pattern: RegExp): void {
  if (text === null || !pattern.test(text)) expect(text).toMatch(pattern);
}

function expectShape(validate: ValidateFunction, value: unknown, expected: string): void {
  const fits = validate(value);
  expectSame(fits ? null : validate.errors, null, expected);
}

/** The message of an error says what happened first, then what to do. */
const beginsWithAdvice =
  /^(Add|Ask|Change|Check|Choose|Create|Get|Give|Let|Make|Remove|Rename|Repeat|Send|Set|Shorten|Start|Try|Unblock|Use|Wait)\b/;
const etagForm = /^"[\x21\x23-\x7e]+"$/;
const wholeNumber = /^\d+$/;
const anyUuidForm = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

// Stricter than the formats in general: Gatehouse itself always writes the same form.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  discriminator: true,
  // Optimizing the code of a check takes longer than all checks of a run.
  code: { optimize: false },
  formats: {
    uuid: anyUuidForm,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    email: /^[\x21-\x3f\x5b-\x7e]{1,64}@[a-z0-9.-]+$/,
  },
});
ajv.addKeyword({
  keyword: 'x-extensible-enum',
  schemaType: 'array',
  // Whether null is allowed, the type of the schema decides.
  validate: (known: unknown[], value: unknown) => value === null || known.includes(value),
});

/** A schema in which unlisted fields are an error: responses contain exactly the fields of the contract. */
function closed(schema: object): object {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, isSchemaPart(value) ? closedPart(value) : value]),
  );
  if ('properties' in copy && !('additionalProperties' in copy)) copy.additionalProperties = false;
  return copy;
}

function closedPart(value: object): object {
  return Array.isArray(value)
    ? value.map((item) => (isSchemaPart(item) ? closed(item) : item))
    : closed(value);
}

function isSchemaPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const compiled = new Map<string, ValidateFunction>();
function successShape({ id, success }: OperationShape): ValidateFunction {
  const validate = compiled.get(id) ?? ajv.compile(closed(success.body!));
  compiled.set(id, validate);
  return validate;
}
const errorShape = ajv.compile(closed(ErrorBody));
const dashboardErrorShape = ajv.compile(closed(DashboardErrorBody));

/** Every field of an object without a value. */
export function unset({ properties }: { readonly properties: object }): Record<string, null> {
  return Object.fromEntries(Object.keys(properties).map((field) => [field, null]));
}
