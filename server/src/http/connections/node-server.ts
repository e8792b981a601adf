import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { Connections } from './connections.ts';

/** Node's HTTP server and the connections it has accepted. */
export interface NodeServer {
  readonly server: Server;
  readonly connections: Connections;
}

/** @param requestTimeoutSeconds how long a client may take to send a whole request */
export function createNodeServer(handle: RequestListener, requestTimeoutSeconds: number): NodeServer {
  const options: ServerOptions = {
    requestTimeout: requestTimeoutSeconds * 1_000,
    keepAliveTimeout: 65_000,
    headersTimeout: Math.min(10, requestTimeoutSeconds) * 1_000,
    connectionsCheckingInterval: 1_000,
    // Node's own error reply would lack the headers of our responses.
    requireHostHeader: false,
  };
  const connections = new Connections(handle);
  const server = createServer(options, (request, response) => connections.handle(request, response));
  connections.addAllOf(server);
  // For clients that do not read their responses: requests time out earlier, and idle connections have their own
  // limit.
  server.timeout = (Math.max(requestTimeoutSeconds, 15) + 5) * 1_000;
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return { server, connections };
}
