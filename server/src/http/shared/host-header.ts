import type { IncomingMessage } from 'node:http';

/** A host and a port (RFC 3986, section 3.2.2). A comma joins two, as some programs do with two headers. */
const validHost = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i;

/**
 * Why a request does not name exactly one host (RFC 9112, section 3.2); undefined if it does. Two programs might each
 * believe another one.
 * @param target as received, if the request has another one by now
 */
export function hostFault(request: IncomingMessage, target = request.url!): string | undefined {
  const { host } = request.headers;
  if (host === undefined) {
    return request.httpVersion === '1.1'
      ? 'The request has no Host header. HTTP/1.1 requires it.'
      : undefined;
  }
  if (hasSeveralHosts(request.rawHeaders)) return 'The request has more than one Host header. Send one.';
  if (!validHost.test(host))
    return 'The Host header is not one host name. Send the name, and a port if needed.';
  if (!target.startsWith('/') && namesAnotherHost(target, host)) {
    return 'The URL of the request names another host than its Host header. Send the same host in both.';
  }
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

/** Whether a target in absolute form (RFC 9112, section 3.2.2) is for another host. */
function namesAnotherHost(target: string, host: string): boolean {
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(target) ?? [];
  if (authority === undefined) return false;
  const defaultPort = scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/;
  const plain = (name: string) => name.toLowerCase().replace(defaultPort, '');
  return plain(authority) !== plain(host);
}
