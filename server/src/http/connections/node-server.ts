import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Draining } from '../shared/draining.ts';
import { Connections } from './connections.ts';
import { mayUpgrade, type UpgradeHandler } from './upgrades.ts';

/** Node's HTTP server and the connections it has accepted. */
export interface NodeServer {
  readonly server: Server;
  readonly connections: Connections;
}

export interface NodeServerSettings {
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutSeconds: number;
  /** How long a connection may be open without a byte; by default a little longer than a request may take. */
  readonly idleSeconds?: number | undefined;
  readonly draining: Draining;
  readonly logger: FastifyBaseLogger;
}

export function createNodeServer(
  handle: RequestListener,
  { requestTimeoutSeconds, idleSeconds, draining, logger }: NodeServerSettings,
  upgrades: UpgradeHandler = {},
): NodeServer {
  const options: ServerOptions = {
    requestTimeout: requestTimeoutSeconds * 1_000,
    keepAliveTimeout: 65_000,
    headersTimeout: Math.min(10, requestTimeoutSeconds) * 1_000,
    connectionsCheckingInterval: 1_000,
    // Node's own error reply would lack the headers of our responses.
    requireHostHeader: false,
    shouldUpgradeCallback: (request) => mayUpgrade(request) && (upgrades.shouldUpgrade?.(request) ?? false),
  };
  const connections = new Connections(handle, draining, logger);
  const server = createServer(options, (request, response) => connections.handle(request, response));
  connections.addAllOf(server);
  // For clients that do not read their responses: requests time out earlier, and idle connections have their own
  // limit.
  server.timeout = (idleSeconds ?? Math.max(requestTimeoutSeconds, 15) + 5) * 1_000;
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request, socket: Socket, head) =>
    connections.upgrade(request, socket, (response) => upgrades.upgrade?.(request, response, socket, head)),
  );
  return { server, connections };
}
