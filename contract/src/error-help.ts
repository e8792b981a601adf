import type { ErrorCode } from './errors.ts';

/** What each code means and what to do next: the text of the reference, and the default message of an error reply. */
export const errorHelp: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'The request does not match the schema of this operation. Correct each place that `details` names.',
  invalid_json:
    'The body is not valid JSON, repeats a key, has the key `__proto__`, or contains half of a surrogate pair. ' +
    'Correct the body.',
  invalid_cursor:
    'This cursor does not belong to this list. Use the `nextCursor` of a page of the same list, or start without `after`.',
  invalid_email: 'This is not a valid email address. Send exactly one address, such as `ada@example.com`.',
  invalid_display_name:
    'This display name is too long, has a line break, or has invisible characters that change the direction of text. Send at most 200 characters on one line.',
  invalid_registered_at:
    'This is not a time in the past since 1970. Send a time such as `2026-01-31T09:30:00Z`, or leave the field out.',
  missing_api_key: 'No API key was sent. Send the header `Authorization: Bearer <API key>`.',
  invalid_api_key:
    'This API key is not valid. Check that it was copied completely, and that it has neither been revoked nor ' +
    'expired.',
  permission_denied:
    'This API key lacks the permission that the operation needs. Use a key with this permission.',
  scope_group_read_only:
    'Scope groups follow a collection of an external workspace. Change the collection there, or use a custom group.',
  not_found: 'There is nothing at this path. Check it against the API reference.',
  member_not_found: 'This site has no member with this id. Check the id.',
  access_group_not_found: 'This site has no access group with this id. Check the id.',
  membership_not_found: 'This member is not in this access group. Check both ids.',
  session_not_found:
    'This member has no session with this id, or the session has ended. List the sessions to see those that are ' +
    'active.',
  key_not_found: 'This site has no API key with this id. Check the id.',
  operator_not_found: 'This site has no operator with this id. Check the id.',
  email_not_found: 'This site has no email with this id, or it has been purged. Check the id.',
  method_not_allowed: 'This path does not support this method. Use one of the methods in the `Allow` header.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  email_taken: 'A member with this email exists. Use another email, or update that member.',
  access_group_name_taken: 'Another access group of this site has this name. Choose another name.',
  already_in_group: 'The member is already in this access group. There is nothing to do.',
  site_domain_taken: 'Another site of this installation has this domain. Choose another domain.',
  site_slug_taken: 'Another site of this installation has this slug. Choose another slug.',
  site_domain_missing:
    'The site has no domain yet, so no link to it can be created. Set `domain` with `PATCH /site`.',
  member_blocked: 'The member is blocked, so no login link would work. Unblock the member first.',
  key_not_in_force: 'This API key was revoked or has expired. Create a new key.',
  operator_exists: 'This person is already an operator of the site. Change the role instead.',
  last_owner: 'This is the last owner of the site. Make another operator an owner first.',
  idempotency_in_progress:
    'The first request with this idempotency key is still running. Wait a moment and send it again.',
  precondition_failed:
    'The resource has changed since the `ETag` in `If-Match` was read. Get it again, then repeat the change.',
  body_too_large: 'The body is larger than 1 MiB. Split the request.',
  uri_too_long: 'The URL of the request is too long. Shorten its parameters.',
  unsupported_media_type:
    'The body is not declared as JSON. Send it with the header `Content-Type: application/json`.',
  idempotency_key_reused:
    'This idempotency key was used for a different request, or with another API key. Use a new key for each new request.',
  rate_limited:
    'Too many requests in this window. Wait for the number of seconds in `Retry-After`, then continue.',
  email_budget_exhausted:
    'This person has received the maximum number of emails of this kind in an hour, so this email was not sent. Wait ' +
    'for the number of seconds in `Retry-After`, then send it again.',
  headers_too_large: 'The headers of the request are too large. Send fewer or shorter ones.',
  internal_error:
    'Something went wrong on our side. Try again; if the error persists, report the request id.',
  unavailable:
    'The service is temporarily unavailable. Wait for the number of seconds in `Retry-After`, then send the request ' +
    'again.',
};
