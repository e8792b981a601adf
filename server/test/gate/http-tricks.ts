import { clubHost, openHost } from './club.ts';

/** A complete request as bytes with which an anonymous visitor tries to get a page for members. */
export interface HttpTrick {
  readonly request: string;
  readonly note: string;
}

const host = `Host: ${clubHost}\r\n`;
const close = 'Connection: close\r\n';

/** Requests for a page for members, written in ways that parsers have interpreted differently. */
export function httpTricks(target: string): readonly HttpTrick[] {
  const get = (headers: string, line = `GET ${target} HTTP/1.1`) => `${line}\r\n${headers}${close}\r\n`;
  const trick = (note: string, request: string): HttpTrick => ({ note, request });
  const second = get(host);
  return [
    trick('plainly', get(host)),
    trick('an absolute URL', get(host, `GET https://${clubHost}${target} HTTP/1.1`)),
    trick('an absolute URL, http', get(host, `GET http://${clubHost}${target} HTTP/1.1`)),
    trick('an absolute URL in upper case', get(host, `GET HTTPS://CLUB.EXAMPLE.ORG${target} HTTP/1.1`)),
    trick('an absolute URL with a port', get(host, `GET https://${clubHost}:443${target} HTTP/1.1`)),
    trick('an absolute URL with a user', get(host, `GET https://${openHost}@${clubHost}${target} HTTP/1.1`)),
    trick('the URL of another site', get(host, `GET https://${openHost}${target} HTTP/1.1`)),
    trick(
      'the URL of the site, and Host of another',
      get(`Host: ${openHost}\r\n`, `GET https://${clubHost}${target} HTTP/1.1`),
    ),
    trick('another scheme', get(host, `GET file://${target} HTTP/1.1`)),
    trick('only the host of a URL', get(host, `GET https://${clubHost} HTTP/1.1`)),
    trick('a query right after the host', get(host, `GET https://${clubHost}?${target} HTTP/1.1`)),
    trick('no Host', get('')),
    trick('HTTP/1.0 without Host', get('', `GET ${target} HTTP/1.0`)),
    trick('HTTP/1.0 with Host', get(host, `GET ${target} HTTP/1.0`)),
    trick('HTTP/0.9', `GET ${target}\r\n`),
    trick('HTTP/1.2', get(host, `GET ${target} HTTP/1.2`)),
    trick('HTTP/2.0 in words', get(host, `GET ${target} HTTP/2.0`)),
    trick('a tab before the target', get(host, `GET\t${target} HTTP/1.1`)),
    trick('a tab after the target', get(host, `GET ${target}\tHTTP/1.1`)),
    trick('several spaces', get(host, `GET   ${target}   HTTP/1.1`)),
    trick('a vertical tab', get(host, `GET ${target}\vHTTP/1.1`)),
    trick('two targets', get(host, `GET /public/ ${target} HTTP/1.1`)),
    trick('lines that end with a bare line feed', `GET ${target} HTTP/1.1\n${host.trim()}\n\n`),
    trick('an empty line first', `\r\n${get(host)}`),
    trick('a method in lowercase', get(host, `get ${target} HTTP/1.1`)),
    trick('an unknown method', get(host, `FETCH ${target} HTTP/1.1`)),
    ...['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'].map(
      (method) => trick(`the method ${method}`, get(host, `${method} ${target} HTTP/1.1`)),
    ),
    trick('CONNECT', get(host, `CONNECT ${clubHost}:443 HTTP/1.1`)),
    trick('two Hosts', get(`${host}Host: ${openHost}\r\n`)),
    trick('two Hosts, the other way', get(`Host: ${openHost}\r\n${host}`)),
    trick('two hosts in one', get(`Host: ${clubHost}, ${openHost}\r\n`)),
    trick('Host with a port', get(`Host: ${clubHost}:443\r\n`)),
    trick('Host with a port of its own', get(`Host: ${clubHost}:1\r\n`)),
    trick('Host with a dot at the end', get(`Host: ${clubHost}.\r\n`)),
    trick('Host in upper case', get('Host: CLUB.EXAMPLE.ORG\r\n')),
    trick('Host with a user', get(`Host: ${openHost}@${clubHost}\r\n`)),
    trick('Host with a path', get(`Host: ${clubHost}/public\r\n`)),
    trick('an empty Host', get('Host:\r\n')),
    trick('an unknown Host', get('Host: nobody.example\r\n')),
    trick('Host as an IP address', get('Host: 127.0.0.1\r\n')),
    trick('a space before the colon', get(`Host : ${openHost}\r\n${host}`)),
    trick('a folded header', get(`${host}X-Forwarded-Host:\r\n ${openHost}\r\n`)),
    ...['X-Original-URL', 'X-Rewrite-URL', 'X-Accel-Redirect', 'X-Sendfile', 'X-Original-Method'].map(
      (name) => trick(`the header ${name}`, get(`${host}${name}: /public/\r\n`)),
    ),
    trick('another method by header', get(`${host}X-HTTP-Method-Override: OPTIONS\r\n`)),
    trick('a part of the page', get(`${host}Range: bytes=0-200\r\n`)),
    trick(
      'only if it has changed',
      get(`${host}If-None-Match: "x"\r\nIf-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n`),
    ),
    trick(
      'a preflight',
      get(
        `${host}Origin: https://${openHost}\r\nAccess-Control-Request-Method: GET\r\n`,
        `OPTIONS ${target} HTTP/1.1`,
      ),
    ),
    trick(
      'an upgrade',
      get(
        `${host}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`,
      ),
    ),
    trick(
      'an upgrade to HTTP/2',
      `GET ${target} HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ),
    ...['X-Forwarded-Host', 'X-Forwarded-Uri', 'X-Original-URI', 'Host', 'Cookie', 'X-Forwarded-For'].map(
      (name) =>
        trick(
          `${name} for this connection only`,
          `GET ${target} HTTP/1.1\r\n${host}Connection: close, ${name}\r\n\r\n`,
        ),
    ),
    trick(
      'headers for this connection only, in lowercase',
      `GET ${target} HTTP/1.1\r\n${host}Connection: close, x-forwarded-host, x-forwarded-uri, x-original-uri\r\n\r\n`,
    ),
    trick('a second request after an allowed one', `GET /public/ HTTP/1.1\r\n${host}\r\n${second}`),
    trick(
      'a second request in the body of an allowed one',
      `POST /public/ HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
    ),
    trick(
      'two lengths',
      `POST /public/ HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
    ),
    trick(
      'a length and chunks',
      `POST /public/ HTTP/1.1\r\n${host}Content-Length: ${second.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    ),
    trick(
      'chunks by another name',
      `POST /public/ HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`,
    ),
    trick(
      'chunks before the login page',
      `POST /_gatehouse/login HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    ),
    trick(
      'a second request in the body of a denied one',
      `POST ${target} HTTP/1.1\r\n${host}Content-Length: ${second.length}\r\n\r\n${second}`,
    ),
    trick(
      'a chunked body on a denied request',
      `POST ${target} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n${second}`,
    ),
    trick(
      'an Expect header',
      get(`${host}Expect: 100-continue\r\nContent-Length: 5\r\n`, `POST ${target} HTTP/1.1`),
    ),
    trick(
      'a cookie with an invalid token',
      get(`${host}Cookie: __Host-gatehouse_session=${'A'.repeat(43)}\r\n`),
    ),
    trick('a cookie without a value', get(`${host}Cookie: __Host-gatehouse_session=\r\n`)),
    trick(
      'malformed cookies',
      get(`${host}Cookie: __Host-gatehouse_session=%zz\x80"; =; ;__Host-gatehouse_session;\r\n`),
    ),
    trick('a token of another kind', get(`${host}Authorization: Bearer ${'A'.repeat(43)}\r\n`)),
    trick('a name and a password', get(`${host}Authorization: Basic ${btoa('admin:admin')}\r\n`)),
    ...['GoogleHC/1.0', 'kube-probe/1.30', 'ELB-HealthChecker/2.0'].map((name) =>
      trick(`the health check ${name}`, get(`${host}User-Agent: ${name}\r\n`)),
    ),
    trick('a cookie of an http site', get(`${host}Cookie: gatehouse_session=${'A'.repeat(43)}\r\n`)),
    trick('a long header', get(`${host}X-Padding: ${'a'.repeat(6_000)}\r\n`)),
    trick('a header too long', get(`${host}X-Padding: ${'a'.repeat(40_000)}\r\n`)),
    trick('many headers', get(`${host}${'X-Padding: a\r\n'.repeat(90)}`)),
  ];
}
