import { type Static, Type } from 'typebox';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { exampleIds, openEnumeration, shape, text, uuid } from './schemas.ts';

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

/** The codes of an email address that is not invited by a bulk request. */
export const bulkInvitationErrorCodes = [
  'invalid_email',
  'already_invited',
  'email_budget_exhausted',
] as const satisfies readonly ErrorCode[];

/** The codes of a request to join that is not decided. */
export const joinRequestErrorCodes = [
  'join_request_not_found',
  'join_request_decided',
  'member_blocked',
  'invitation_used_up',
] as const satisfies readonly ErrorCode[];

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
