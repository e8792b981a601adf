import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HeaderLines } from './visitor.ts';

export interface VisitorRequest {
  readonly host: string;
  readonly method?: string;
  readonly headers?: HeaderLines;
}

/** Headers that Traefik sets itself, or removes if they come from a visitor, with or without underscores. */
export const managed =
  /^x[-_](?:forwarded[-_](?:proto|scheme|for|host|port|server|uri|method|prefix|tls[-_].*)|scheme|real[-_]ip)$/i;
const ofTheConnection =
  /^(?:connection|keep-alive|te|trailers|transfer-encoding|upgrade|content-length|host)$/i;

/** The address to which a configuration sends the check, and the headers that it copies from the response. */
export function forwardAuthOf(configuration: string): { address: URL; copied: string[] } {
  return {
    address: new URL(/address: (\S+)/.exec(configuration)![1]!),
    copied: /authResponseHeaders: \[(.*)\]/.exec(configuration)![1]!.split(', '),
  };
}

/**
 * Sends Gatehouse the request that Traefik sends when a visitor requests `target`. Traefik is not packaged for Debian or
 * npm, so this is exactly what its `forwardAuth` derives from a visitor's request (pkg/middlewares/auth/forward.go, 3.7).
 * @param forwardAuth the address in the configuration
 * @param gatehouse where Gatehouse is in the test
 */
export async function checkAsTraefik(
  forwardAuth: URL,
  gatehouse: string,
  target: string,
  visitorRequest: VisitorRequest,
) {
  const { host, method = 'GET', headers = [] } = visitorRequest;
  const passed = headers.filter(([name]) => !ofTheConnection.test(name) && !managed.test(name));
  const own: HeaderLines = [
    ['Host', forwardAuth.host],
    ['X-Forwarded-For', '203.0.113.7'],
    ['X-Forwarded-Method', method],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Host', host],
    ['X-Forwarded-Uri', target],
    ['Accept-Encoding', 'gzip'],
  ];
  const { hostname, port } = new URL(gatehouse);
  const path = forwardAuth.pathname;
  const lines = [...passed, ...own].flat();
  const sent = request({
    hostname,
    port,
    path,
    headers: lines,
    agent: false,
    setDefaultHeaders: false,
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, text: await text(response) };
}
