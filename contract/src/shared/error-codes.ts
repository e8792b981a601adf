/** Every error code of the API, by HTTP status: what it means and what to do next. Responses have messages of their own. */
const errors = {
  400: {
    invalid_request:
      'The request does not match the schema of this operation. Correct the values listed in `details`.',
    invalid_json:
      'The body is not valid JSON, repeats a key, has the key `__proto__`, or contains half of a surrogate pair. ' +
      'Correct the body.',
    invalid_cursor:
      'This cursor does not belong to this list. Use the `nextCursor` of a page of the same list, or start without `after`.',
    invalid_email: 'This is not a valid email address. Send exactly one, such as `ada@example.com`.',
    invalid_display_name:
      'This display name is too long, has a line break, or has invisible characters that change the direction of text. Send at most 200 characters on one line.',
    invalid_registered_at:
      'This time is in the future, before 1970, or not in RFC 3339. Send a time such as `2026-01-31T09:30:00Z`, or leave the field out.',
  },
  401: {
    missing_api_key: 'No API key was sent. Send the header `Authorization: Bearer <API key>`.',
    invalid_api_key:
      'This API key is not valid. Check that it was copied completely, has not been revoked and has not expired.',
  },
  403: {
    permission_denied:
      'This API key lacks the permission that the operation needs. Use a key with this permission.',
    login_not_recent:
      'The operator logged in more than 15 minutes ago. Log in again, then send the request again. API keys never get ' +
      'this error.',
    passkey_required:
      'Operators of this installation need a passkey, and the operator has logged in without one. Log in to the dashboard ' +
      'with a passkey, or add the first one there. API keys never get this error.',
    scope_group_read_only:
      'A scope group follows an external workspace and is read-only in the API. Change it in the workspace, or use a custom group.',
  },
  404: {
    not_found: 'There is nothing at this path. Check it against the API reference.',
    member_not_found: 'This site has no member with this ID. Check the ID.',
    access_group_not_found: 'This site has no access group with this ID. Check the ID.',
    membership_not_found: 'This member is not in this access group. Check both IDs.',
    session_not_found:
      'This member has no session with this ID, or the session has ended. List the sessions to see those that are ' +
      'active.',
    access_token_not_found:
      'This member has no access token with this ID, or it has been deleted or has expired. List the access tokens to ' +
      'see the current ones.',
    passkey_not_found:
      'This member or operator has no passkey with this ID, or it has been removed. List the passkeys to see the current ones.',
    key_not_found: 'This site has no API key with this ID. Check the ID.',
    operator_not_found: 'This site has no operator with this ID. Check the ID.',
    email_not_found: 'This site has no email with this ID, or it has been purged. Check the ID.',
    source_not_found: 'This site has no source with this ID. Check the ID.',
    source_run_not_found: 'This source has no run with this ID. Check both IDs.',
    collection_not_found:
      'The workspace has no such collection, or does not share it with Gatehouse. Check the key, and in the workspace who has access.',
    webhook_not_found: 'This site has no webhook with this ID. Check the ID.',
    webhook_delivery_not_found:
      'This webhook has no delivery with this ID, or it is older than 7 days. Check both IDs.',
    invitation_not_found: 'This site has no invitation with this ID, or it has been purged. Check the ID.',
    join_request_not_found:
      'This site has no request to join with this ID, or it has been purged. Check the ID.',
    page_code_not_found: 'This site has no page code with this ID. Check the ID.',
    login_provider_not_found: 'This site has no login provider with this ID. Check the ID.',
    identity_not_found: 'This member has no identity with this ID. Check the ID.',
  },
  405: {
    method_not_allowed:
      'This path does not support this method. Use one of the methods in the `Allow` header.',
  },
  408: {
    request_timeout: 'The request did not arrive in time. Send it again.',
  },
  409: {
    email_taken: 'A member with this email address already exists. Use another one, or update that member.',
    access_group_name_taken: 'An access group with this name already exists. Choose another name.',
    already_in_group:
      'The member is already in this access group. To change the end of the membership, update it.',
    site_domain_taken:
      'Another site of this installation, or the dashboard, has this domain, possibly with or without `www.` or on another port. Choose another domain.',
    site_slug_taken: 'A site with this slug already exists. Choose another slug.',
    site_domain_missing:
      'The site has no domain yet, so no link to it can be created. Set `domain` with `PATCH /site`.',
    signing_key_missing:
      'The site has no signing key yet, so no identity token can be signed. Create one with `POST /site/signing-keys`.',
    member_blocked: 'The member is blocked, so no login link would work. Unblock the member first.',
    email_not_resendable:
      'Only login links to members and invitations that have failed can be sent again. Create a login link for the member ' +
      'instead.',
    too_many_access_tokens:
      'The member has the maximum number of access tokens. Delete one that is no longer used.',
    key_not_in_force: 'This API key has been revoked or replaced, or has expired. Create a new key.',
    operator_exists: 'This person is already an operator of the site. Change the role instead.',
    source_name_taken: 'A source with this name already exists. Choose another name.',
    source_is_read:
      'Gatehouse reads this source itself, so that no list can be uploaded. Use a source of the type `program`.',
    source_is_uploaded:
      'A program uploads the lists of this source, so that Gatehouse cannot read it. Upload a list.',
    source_without_webhook:
      'Only a source of the type `notion` has a webhook. Other sources are synchronized on schedule.',
    too_many_webhooks: 'The site has the maximum number of enabled webhooks. Disable or delete one.',
    webhook_disabled: 'The webhook is disabled, so that nothing is sent. Enable it first.',
    webhook_replays: 'Events are already being sent again to this webhook. Wait until they have been sent.',
    list_incomplete:
      'A part of the list is missing. Upload the missing parts, counted from 0, then the last one again.',
    list_in_use: 'A list with this identifier is being applied. Use another identifier for a new list.',
    already_invited:
      'This email address already has an active invitation to the same groups. Send that one again instead.',
    invitation_not_active: 'The invitation has expired, was used up or was revoked. Create a new one.',
    invitation_without_email:
      'The invitation is for everyone who has its link, so that it cannot be sent. Pass on its URL.',
    join_request_decided:
      'The request to join has been decided already, or has expired. Get it to see its status.',
    invitation_used_up: 'The invitation of this person is used up. Raise its limit first.',
    page_code_taken: 'Another page code of the site has the same code. Choose another one.',
    too_many_page_codes: 'The site has the maximum number of page codes. Delete one that is no longer used.',
    login_provider_issuer_taken: 'Another login provider of the site has the same issuer. Update that one.',
    too_many_login_providers:
      'The site has the maximum number of login providers. Delete one that is no longer used.',
    last_owner: 'This is the last owner of the site. Make another operator an owner first.',
    idempotency_in_progress:
      'The first request with this idempotency key is still running. Wait a moment and send it again.',
  },
  412: {
    precondition_failed:
      'The resource has changed since the `ETag` in `If-Match` was read. Get it again, then repeat the change.',
  },
  413: {
    body_too_large: 'The body is larger than 1 MiB. Split the request.',
  },
  414: {
    uri_too_long: 'The URL of the request is too long. Shorten its parameters.',
  },
  415: {
    unsupported_media_type:
      'The body is not declared as JSON. Send it with the header `Content-Type: application/json`.',
  },
  422: {
    idempotency_key_reused:
      'This idempotency key was used for a different request, or with another API key. Use a new key for each new request.',
    workspace_rejected:
      'The workspace rejected the request; the message has the reason. Check the token or the URL of the source.',
    collection_unreadable:
      'The collection cannot be read; the message has the reason. Correct it in the workspace.',
    page_not_public:
      'Anonymous visitors do not get this page: a rule denies it, or the website redirects to the login. Give the page a ' +
      'rule with `public`, save it, and check the page again.',
    page_redirected:
      'The page redirects to another website, or too often. Check the page that it finally leads to.',
    page_not_html: 'The response of the website is not an HTML page. Check a page that loads the files.',
  },
  429: {
    rate_limited:
      'There were too many requests in a short time. Wait for the number of seconds in `Retry-After`, then continue.',
    email_budget_exhausted:
      'This person has received the maximum number of emails of this type in an hour, so this email was not sent. Wait ' +
      'for the number of seconds in `Retry-After`, then send it again.',
    too_many_streams:
      'The site, the key or the operator has the maximum number of open event streams. Close one that is no longer needed, or wait for the number of ' +
      'seconds in `Retry-After`.',
  },
  431: {
    headers_too_large: 'The headers of the request are too large. Send fewer or shorter ones.',
  },
  500: {
    internal_error:
      'An error occurred in Gatehouse. Send the request again later. If it fails again, report the request ID.',
  },
  502: {
    workspace_unavailable: 'The workspace did not respond as expected. Try again in a minute.',
    page_unavailable:
      'The website did not respond with the page; the message has the reason. Check the website, then try again.',
  },
  503: {
    unavailable:
      'Gatehouse is temporarily unavailable. Wait for the number of seconds in `Retry-After`, then send the request ' +
      'again.',
  },
} as const;

type Errors = typeof errors;

export type ErrorCode = { [Status in keyof Errors]: keyof Errors[Status] }[keyof Errors];

/** The HTTP status of each code. */
export const errorStatus = Object.fromEntries(
  Object.entries(errors).flatMap(([status, codes]) =>
    Object.keys(codes).map((code) => [code, Number(status)]),
  ),
) as Readonly<Record<ErrorCode, number>>;

/** The text of each code in the API reference. */
export const errorHelp = Object.assign({}, ...Object.values(errors)) as Readonly<Record<ErrorCode, string>>;

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];
