/** IP addresses and names of visitors and proxies: `X-Real-IP`, `Fastly-Client-IP`, `Cf-Pseudo-IPv4`, `X-Remote-Addr`. */
const address =
  /(?:^|-)(?:client|user|socket|real)?ip(?:v[46])?$|(?:^|-)(?:client|peer|proxy|external|remote|real|source)-(?:addr|address|host|port)$/;

/** Hosts: `X-Host`, `X-HTTP-Host-Override`, `Disguised-Host`, `X-Original-Host`. */
const host = /^(?:x-)?(?:http-)?host(?:-|$)|-host(?:name)?$|^(?:x-)?server-(?:name|port|addr)$/;

/** What an earlier proxy received, also on CGI and in Java: `X-Original-URL`, `X-Rewrite-URL`, `Script-Name`. */
const path =
  /^x-original-(?!file-?name$)|^x-(?:rewrite|override|replaced|matched|invoke|ingress|unproxied|waws-unencoded)-|^(?:x-)?(?:script|path|query|document|redirect)-(?:name|info|translated|string|root|uri|url|filename|query)$|^(?:x-)?request-ur[il]$|(?:^|-)(?:root|base|context|servlet)-path$/;

/** Schemes: `X-Scheme`, `X-URL-Scheme`, `Front-End-Https`, `X-ARR-SSL`, `X-SSL-Client-Verify`. */
const scheme =
  /^(?:x-)?(?:url-)?(?:scheme|proto|protocol)$|^(?:x-)?(?:https|ssl)(?:-|$)|^front-end-|-ssl$|-proto$/;

/** Proxies and platforms that name all of these with a prefix of their own. */
const platform =
  /forward|^(?:wl-)?proxy(?:-|$)|^(?:fastly|cloudfront|akamai|ali-cdn)-|^cf-(?!access-jwt-assertion$)|^cdn-(?!loop$)|^x-(?:proxy|proxyuser|cluster|true|envoy|appengine|azure|arr|appservice|vercel|nf|now)-|^x-middleware-(?!prefetch$)/;

/**
 * Whether a header, in lower case, tells a program from which IP address, to which host and path, or by which scheme a
 * request came to a proxy before it. Programs believe the proxy in front of them; a visitor could write anything there.
 */
export function isForwardingHeader(name: string): boolean {
  return [address, host, path, scheme, platform].some((pattern) => pattern.test(name));
}
