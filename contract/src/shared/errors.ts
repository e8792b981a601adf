import { type Static, Type } from 'typebox';
import { exampleIds, openEnumeration, shape, text, uuid } from './schemas.ts';

/** Every error code of the API with its HTTP status. */
export const errorStatus = {
  invalid_request: 400,
  invalid_json: 400,
  invalid_cursor: 400,
  invalid_email: 400,
  invalid_display_name: 400,
  invalid_registered_at: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  permission_denied: 403,
  login_not_recent: 403,
  passkey_required: 403,
  scope_group_read_only: 403,
  not_found: 404,
  member_not_found: 404,
  access_group_not_found: 404,
  membership_not_found: 404,
  session_not_found: 404,
  access_token_not_found: 404,
  key_not_found: 404,
  operator_not_found: 404,
  email_not_found: 404,
  source_not_found: 404,
  source_run_not_found: 404,
  collection_not_found: 404,
  webhook_not_found: 404,
  webhook_delivery_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  email_taken: 409,
  access_group_name_taken: 409,
  already_in_group: 409,
  site_domain_taken: 409,
  site_slug_taken: 409,
  site_domain_missing: 409,
  signing_key_missing: 409,
  member_blocked: 409,
  email_not_resendable: 409,
  too_many_access_tokens: 409,
  key_not_in_force: 409,
  operator_exists: 409,
  source_name_taken: 409,
  source_is_read: 409,
  source_is_uploaded: 409,
  source_without_webhook: 409,
  too_many_webhooks: 409,
  webhook_disabled: 409,
  webhook_replays: 409,
  list_incomplete: 409,
  list_in_use: 409,
  last_owner: 409,
  idempotency_in_progress: 409,
  precondition_failed: 412,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  workspace_rejected: 422,
  collection_unreadable: 422,
  rate_limited: 429,
  email_budget_exhausted: 429,
  too_many_streams: 429,
  headers_too_large: 431,
  internal_error: 500,
  workspace_unavailable: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** The codes that no operation has to list, grouped by why an operation returns them. */
export const commonErrorCodes = {
  everyOperation: ['invalid_request', 'rate_limited', 'internal_error', 'unavailable'],
  withKey: ['missing_api_key', 'invalid_api_key', 'permission_denied', 'passkey_required'],
  withBody: ['invalid_json', 'body_too_large', 'unsupported_media_type'],
  withCursor: ['invalid_cursor'],
  /** POST, which accepts an `Idempotency-Key`. */
  idempotent: ['idempotency_key_reused', 'idempotency_in_progress'],
  /** PATCH, PUT and DELETE, which accept `If-Match`. */
  conditional: ['precondition_failed'],
  /** Returned before the request reaches an operation. */
  beforeOperation: [
    'not_found',
    'method_not_allowed',
    'request_timeout',
    'uri_too_long',
    'headers_too_large',
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** The codes of operations that need a login of a short time ago. */
export const recentLoginErrorCodes = ['login_not_recent'] as const satisfies readonly ErrorCode[];

/** The codes of a failed item of a bulk creation; the status of the response is 207. */
export const bulkErrorCodes = [
  'invalid_email',
  'invalid_display_name',
  'invalid_registered_at',
  'email_taken',
] as const satisfies readonly ErrorCode[];

export type BulkErrorCode = (typeof bulkErrorCodes)[number];

/** The codes of a failed item of a bulk update. */
export const bulkUpdateErrorCodes = [
  'member_not_found',
  'invalid_display_name',
] as const satisfies readonly ErrorCode[];

export type BulkUpdateErrorCode = (typeof bulkUpdateErrorCodes)[number];

/** The codes of a failed member of a bulk action. */
export const bulkActionErrorCodes = [
  'member_not_found',
  'member_blocked',
  'rate_limited',
  'email_budget_exhausted',
] as const satisfies readonly ErrorCode[];

export type BulkActionErrorCode = (typeof bulkActionErrorCodes)[number];

export const ErrorDetail = shape('ErrorDetail', 'An invalid value in the request.', {
  path: text(
    'JSON Pointer into the body, or `/` and the name of a path or query parameter.',
    '/members/3/email',
  ),
  message: text('What is wrong and how to correct it.', 'members[3].email is a number. Use a string.'),
});
export type ErrorDetail = Static<typeof ErrorDetail>;

/** The schema of error responses (status 400 and above) of an API with these error codes. */
export function errorBodyWith<Code extends string>(codes: readonly Code[]) {
  return shape('ErrorBody', 'The body of every response with a status of 400 and above.', {
    error: Type.Object(
      {
        code: openEnumeration(
          codes,
          'What happened, for programs. New codes may be added; for an unknown code, use the status.',
          'member_not_found',
        ),
        message: text(
          'What happened and what to do next, for people. May change at any time.',
          'This site has no member with this ID. Check the ID.',
        ),
        requestId: uuid(
          'The request, as in the `X-Request-Id` header. Include it when you contact support.',
          exampleIds.request,
        ),
        details: Type.Optional(
          Type.Array(ErrorDetail, {
            description: 'The invalid values, if the error is about single fields.',
          }),
        ),
      },
      { description: 'The error.' },
    ),
  });
}

export const ErrorBody = errorBodyWith(errorCodes);
export type ErrorBody = Static<typeof ErrorBody>;
