import type { IncomingMessage } from 'node:http';

/** A host and a port (RFC 3986, section 3.2.2). A comma joins two, as some programs do with two headers. */
const validHost = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/**
 * Why a request does not name exactly one host (RFC 9112, section 3.2); undefined if it does. Two programs might each
 * believe another one.
 */
export function hostFault(request: IncomingMessage): string | undefined {
  const { host } = request.headers;
  if (host === undefined) {
    return request.httpVersion === '1.1'
      ? 'The request has no Host header. HTTP/1.1 requires it.'
      : undefined;
  }
  if (hasSeveralHosts(request.rawHeaders)) return 'The request has more than one Host header. Send one.';
  if (!validHost.test(host)) return 'The Host header is not one host. Send one, and a port if needed.';
  return undefined;
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
