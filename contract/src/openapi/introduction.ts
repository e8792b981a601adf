/** The text that opens the reference: what holds for every operation. */
export const introduction = `Gatehouse knows the members of a website and their access groups.

## Keys

Every operation but this document itself needs an API key, sent as \`Authorization: Bearer gate_…\`. A key belongs to
exactly one site, so no path names a site. It carries permissions; each operation says which one it needs.

## Requests

Bodies are JSON (\`application/json\`), at most 1 MiB. Fields and query parameters that an operation does not know are
refused, so that a misspelt filter never returns everything. Ids are UUIDs, times are RFC 3339 and answered in UTC with
milliseconds. \`HEAD\` is answered wherever \`GET\` is.

## Lists

A page holds \`limit\` items. Pass its \`pagination.nextCursor\` as \`after\` to get the next one, or follow the \`Link\` header.
What is added or removed meanwhile makes no page skip or repeat an item.

## Repeating a request

Send an \`Idempotency-Key\` with a \`POST\` and it is safe to send it again after a fault: the effect happens once, and the
first response is answered again for 24 hours, marked \`Idempotency-Replayed: true\`. Responses are stored encrypted, so only
the API key that sent the first request is answered; any other is refused with \`idempotency_key_reused\`.

## Changing only what you have seen

Single resources carry an \`ETag\`. Send it as \`If-Match\` with \`PATCH\`, \`PUT\` or \`DELETE\` and a change made by somebody else in the
meantime is not overwritten (412); send it as \`If-None-Match\` with \`GET\` and an unchanged resource is answered with 304.

## Limits

Requests are counted for each key in windows of 60 seconds, 1,000 by default. Every response says what is left in
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. Beyond it the answer is 429 with \`Retry-After\`.

## Errors

Every answer of 400 and above has the same body. \`error.code\` is for programs, \`error.message\` says what to do next, and
\`error.requestId\` (also the header \`X-Request-Id\`) finds the request in the log.

## Variants

What can have one of several shapes names its shape in a field: \`status\` of the results of a bulk request, \`type\` of an event or
of a bulk action, \`access\` of an access rule. Look at it before the other fields.

## Stability

v1 only grows: a field, a value, a code or an operation may be added, and none changes its meaning or goes. So ignore
fields and values that you do not know.`;
