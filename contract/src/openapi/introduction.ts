/** The introduction of the API reference: the rules that apply to every operation. */
export const introduction = `Gatehouse manages the members of a website and their access groups.

## Keys

Every operation except the one that returns this document needs an API key, sent as \`Authorization: Bearer gate_…\`. A key belongs
to exactly one site, so no path contains a site. Each operation lists the permission that the key must have.

## Requests

Bodies are JSON (\`application/json\`), at most 1 MiB. Unknown fields and query parameters are rejected, so that a misspelled
filter never returns everything. Ids are UUIDs. Times are RFC 3339; responses use UTC with milliseconds. \`HEAD\` is supported
wherever \`GET\` is.

## Lists

A page contains up to \`limit\` items. To get the next page, pass \`pagination.nextCursor\` as \`after\`, or follow the \`Link\` header.
Items that are added or removed in the meantime do not make a page skip or repeat other items.

## Repeating a request

Send an \`Idempotency-Key\` with a \`POST\` to make it safe to send the request again after a failure: the request takes effect
once, and for 24 hours the first response is returned again, with \`Idempotency-Replayed: true\`. Responses are stored encrypted and
returned only to the API key that sent the first request; with any other key the error is \`idempotency_key_reused\`. The
responses of one API key may take 2 GiB in 24 hours, unless the service has another limit: beyond that, requests with a new
idempotency key get 429 and do nothing.

## Conditional requests

Single resources have an \`ETag\`. Send it as \`If-Match\` with \`PATCH\`, \`PUT\` or \`DELETE\` to avoid overwriting a change that
was made in the meantime (412). Send it as \`If-None-Match\` with \`GET\` to get 304 if the resource is unchanged.

## Limits

Requests are counted per key in windows of 60 seconds, 1,000 by default. The headers \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` of every response show the current window. A request over the limit gets 429
with \`Retry-After\`.

## Errors

Every response with a status of 400 or above has the same body. \`error.code\` is for programs, \`error.message\` explains what
happened and what to do next, and \`error.requestId\` (also in the header \`X-Request-Id\`) identifies the request in the log.

## Variants

An object with one of several shapes identifies its shape by a field: \`status\` in the results of a bulk request, \`type\` in an event
or a bulk action, \`access\` in an access rule. Check this field before the others.

## Stability

v1 only grows: fields, values, codes and operations may be added, but none is removed or changes its meaning. Ignore fields
and values that you do not know.`;
