import type { ErrorCode } from './errors.ts';

/** What each code means and what to do next: the text of the reference, and a message that is always right. */
export const errorHelp: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'The request does not have the shape that this operation takes. `details` names each place to correct.',
  invalid_json:
    'The body is not valid JSON, repeats a key, has the key `__proto__`, or holds half of a surrogate pair. Correct the body.',
  invalid_cursor:
    'This cursor does not belong to this list. Use the `nextCursor` of a page of the same list, or start without `after`.',
  invalid_email: 'This is not a valid email address. Send exactly one address, such as `ada@example.com`.',
  invalid_display_name:
    'This display name is too long, has a line break, or has invisible characters that change the direction of text. Send at most 200 characters on one line.',
  missing_api_key: 'No API key was sent. Send the header `Authorization: Bearer <API key>`.',
  invalid_api_key:
    'This API key is not in force. Check that it was copied whole, and that it was neither revoked nor expired.',
  permission_denied: 'This API key lacks the permission that the operation needs. Use a key that carries it.',
  scope_group_read_only:
    'Scope groups follow a collection of an external workspace. Change the collection there, or use a custom group.',
  not_found: 'There is nothing at this path. Compare it with the reference.',
  member_not_found: 'This site has no member with this id. Check the id.',
  access_group_not_found: 'This site has no access group with this id. Check the id.',
  membership_not_found: 'This member is not in this access group. Check both ids.',
  session_not_found:
    'This member has no session with this id, or it has ended. List the sessions to see those that there are.',
  key_not_found: 'This site has no API key with this id. Check the id.',
  operator_not_found: 'This site has no operator with this id. Check the id.',
  mail_not_found: 'This site has no email with this id, or no longer. Check the id.',
  method_not_allowed: 'This path does not take this method. The `Allow` header lists those that it takes.',
  request_timeout: 'The request did not arrive in time. Send it again.',
  email_taken: 'A member with this email exists. Use another email, or update that member.',
  access_group_name_taken: 'Another access group of this site has this name. Choose another name.',
  already_in_group: 'The member is already in this access group. There is nothing left to do.',
  site_domain_taken: 'Another site of this installation has this domain. Choose another domain.',
  site_slug_taken: 'Another site of this installation has this slug. Choose another slug.',
  site_domain_missing:
    'The site has no domain yet, so no link can lead to it. Set `domain` with `PATCH /site`.',
  member_blocked: 'The member is blocked, so no login link would work. Unblock the member first.',
  key_not_in_force: 'This API key was revoked or has expired. Create a new key.',
  operator_exists: 'This person is an operator of the site already. Change the role instead.',
  last_owner: 'This is the last owner of the site. Make another operator an owner first.',
  idempotency_in_progress:
    'The first request with this idempotency key is still running. Wait a moment and send it again.',
  precondition_failed:
    'The resource has changed since the `ETag` in `If-Match`. Get it again and repeat the change on what it is now.',
  body_too_large: 'The body is larger than 1 MiB. Split the request.',
  uri_too_long: 'The address of the request is too long. Shorten its parameters.',
  unsupported_media_type:
    'The body is not marked as JSON. Send it with the header `Content-Type: application/json`.',
  idempotency_key_reused:
    'This idempotency key was used for a different request, or with another API key. Use a new key for each new request.',
  rate_limited: 'Too many requests in this window. Wait for the seconds in `Retry-After`, then go on.',
  email_budget_exhausted:
    'This person was sent as many emails of this kind as the limit allows in an hour, so this one was not sent. Wait for the seconds in `Retry-After`, then send it again.',
  headers_too_large: 'The headers of the request are too large. Send fewer or shorter ones.',
  internal_error: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  unavailable:
    'The service cannot answer at the moment. Wait for the seconds in `Retry-After` and send the request again.',
};
