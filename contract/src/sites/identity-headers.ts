import type { Static } from 'typebox';
import { enumeration, nullable, request, text } from '../shared/schemas.ts';
import { isForwardingHeader } from './forwarding-headers.ts';

/** How texts are written in identity headers. */
export const headerEncodings = ['percent', 'utf8'] as const;
export type HeaderEncoding = (typeof headerEncodings)[number];

/** The values of a member that the gate sends in headers, and the signed header with all of them. */
export const identityHeaderFields = ['user', 'email', 'name', 'groups', 'signed'] as const;

/**
 * The name of a header: letters, digits and hyphens. An underscore is not allowed, because proxies remove such headers
 * and programs read it as a hyphen.
 */
export const headerNameForm = '^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$';
export const maxHeaderNameLength = 64;

export const defaultIdentityHeaders = {
  encoding: 'percent',
  user: 'remote-user',
  email: 'remote-email',
  name: 'remote-name',
  groups: 'remote-groups',
  signed: null,
} as const satisfies IdentityHeaders;

function headerName(description: string, example: string) {
  return nullable(
    text(`${description} Null sends no such header.`, example, {
      minLength: 1,
      maxLength: maxHeaderNameLength,
      pattern: headerNameForm,
    }),
  );
}

export const IdentityHeaders = request(
  'IdentityHeaders',
  {
    encoding: enumeration(
      headerEncodings,
      'How the name and the groups are written. `percent`: percent-encoded UTF-8 (RFC 3986, section 2.1), so that each ' +
        'header is plain ASCII. `utf8`: UTF-8, without control characters; in names of groups, a comma is `%2C` and a ' +
        'percent sign `%25`, because a comma separates them.',
      'percent',
    ),
    user: headerName('The header with the id of the member.', 'remote-user'),
    email: headerName('The header with the email address.', 'remote-email'),
    name: headerName('The header with the display name.', 'remote-name'),
    groups: headerName(
      'The header with the names of the access groups, separated by commas.',
      'remote-groups',
    ),
    signed: nullable(
      text(
        'The header with an identity token: a JSON Web Token (RFC 7519) that proves who the member is to a program ' +
          'behind the proxy. Null (the default) sends none. It requires a signing key: see `POST /site/signing-keys`.',
        'gatehouse-identity',
        { minLength: 1, maxLength: maxHeaderNameLength, pattern: headerNameForm },
      ),
    ),
  },
  {
    description:
      'The headers with which the gate tells the proxy who the visitor is. The configuration of the proxy must use the ' +
      'same names. Two headers cannot have the same name, and none can have a name with a meaning of its own, such as ' +
      '`cookie`.',
  },
);
export type IdentityHeaders = Static<typeof IdentityHeaders>;

/** Names that a browser, a proxy, a web server or CGI treats in its own way, or that Gatehouse uses itself. */
const reservedNames: ReadonlySet<string> = new Set(
  (
    'accept age allow auth-type authorization connection cookie cookie2 date dnt early-data etag expect expires from ' +
    'gateway-interface host link location max-forwards origin pragma priority range referer refresh ' +
    'remote-cache remote-credential remote-ident remote-page-code request-method server server-protocol server-software set-cookie set-cookie2 status ' +
    'tk trailer transfer-encoding te upgrade upgrade-insecure-requests user-agent vary via warning www-authenticate ' +
    'keep-alive http2-settings alt-svc alt-used clear-site-data last-event-id last-modified retry-after ' +
    'strict-transport-security sourcemap traceparent tracestate baggage request-id x-request-id x-correlation-id ' +
    'x-requested-with x-frame-options x-content-type-options x-xss-protection x-dns-prefetch-control x-powered-by ' +
    'x-robots-tag x-ua-compatible x-csrf-token x-xsrf-token x-sendfile x-lighttpd-send-file x-wap-profile ' +
    'public-key-pins nel report-to reporting-endpoints observe-browsing-topics'
  ).split(' '),
);

/** How such names begin. */
const reservedBeginning =
  /^(?:accept-|access-control-|attribution-|cache-|cdn-|cf-|content-|cross-origin-|expect-|fastly-|front-end-|http-|idempotency-|if-|permissions-|proxy-|save-|sec-|service-|set-|timing-|x-accel-|x-amz|x-appengine-|x-arr-|x-azure-|x-envoy-|x-forwarded-|x-forward-|x-gatehouse-|x-http-|x-litespeed-|x-method-|x-middleware-|x-nf-|x-nextjs-|x-original-|x-permitted-|x-rewrite-|x-vercel-|x-webkit-)/;

/** Whether a header name, in any case, has a meaning of its own and cannot be that of an identity header. */
export function isReservedHeaderName(name: string): boolean {
  const lower = name.toLowerCase();
  return reservedNames.has(lower) || reservedBeginning.test(lower) || isForwardingHeader(lower);
}
