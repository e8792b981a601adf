import { exampleIds } from '../shared/schemas.ts';
import type { HeaderObject, Reference } from './document.ts';

/** The headers of responses. */
export const headers = {
  'X-RateLimit-Limit': integer('The maximum number of requests in the current window.', 1000),
  'X-RateLimit-Remaining': integer('The number of requests left in the current window.', 999),
  'X-RateLimit-Reset': integer('When the window ends, as a Unix timestamp in seconds.', 1769851860),
  'X-Request-Id': {
    description: 'The id of the request, for support. If the client sends a UUID in this header, it is used.',
    schema: { type: 'string', format: 'uuid' },
    example: exampleIds.request,
  },
  'RateLimit-Policy': text(
    'The limit in the form of the IETF draft: `q` requests in `w` seconds.',
    '"default";q=1000;w=60',
  ),
  RateLimit: text(
    'The remaining requests, in the form of the IETF draft: `r` requests in the next `t` seconds.',
    '"default";r=999;t=42',
  ),
  Location: {
    description: 'The URL of the created resource.',
    schema: { type: 'string', format: 'uri' },
    example: `https://gatehouse.example.com/api/v1/members/${exampleIds.member}`,
  },
  ETag: text('The version of the resource, for `If-Match` and `If-None-Match`.', '"Zm9vYmFyYmF6cXV4"'),
  Link: text(
    'The URL of the next page, with `rel="next"`. Absent on the last page.',
    `<https://gatehouse.example.com/api/v1/members?after=${exampleIds.otherMember}>; rel="next"`,
  ),
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same idempotency key; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Retry-After': integer('The number of seconds to wait before sending the request again.', 17),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  Allow: text('The methods that the path supports. Sent with status 405.', 'GET, HEAD, POST'),
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headers;

const everyResponse: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
];

/** The headers of every response and the named ones. */
export function headersWith(...names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(
    [...everyResponse, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function integer(description: string, example: number): HeaderObject {
  return { description, schema: { type: 'integer' }, example };
}

function text(description: string, example: string): HeaderObject {
  return { description, schema: { type: 'string' }, example };
}
