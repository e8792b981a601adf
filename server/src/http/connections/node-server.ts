import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Draining } from '../shared/draining.ts';
import { hasBody } from '../shared/observe/arrival.ts';
import { joinParts } from '../shared/requests/joined-parts.ts';
import { Connections } from './connections.ts';
import { SlowBodies } from './slow-bodies.ts';
import { mayUpgrade, type UpgradeHandler } from './upgrades.ts';

/** How long headers may take, and a body that arrives slowly. */
const maxSlowSeconds = 10;
/** How many times as long an upload may pause, and a body that has arrived fast so far. */
const maxPauseFactor = 3;

/** Reported like Node's own timeouts. */
class SlowBody extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

/** Node's HTTP server and the connections it has accepted. */
export interface NodeServer {
  readonly server: Server;
  readonly connections: Connections;
}

export interface NodeServerSettings {
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutSeconds: number;
  /** How long it may take to send a body that does not pause, if that is longer. */
  readonly maxUploadSeconds?: number | undefined;
  /** How long a connection may be open without a byte; by default a little longer than a request may take. */
  readonly idleSeconds?: number | undefined;
  readonly draining: Draining;
  readonly logger: FastifyBaseLogger;
}

export function createNodeServer(
  handle: RequestListener,
  { requestTimeoutSeconds, maxUploadSeconds, idleSeconds, draining, logger }: NodeServerSettings,
  upgrades: UpgradeHandler = {},
): NodeServer {
  const slowSeconds = Math.min(maxSlowSeconds, requestTimeoutSeconds);
  const options: ServerOptions = {
    requestTimeout: (maxUploadSeconds ?? requestTimeoutSeconds) * 1_000,
    keepAliveTimeout: 65_000,
    headersTimeout: slowSeconds * 1_000,
    connectionsCheckingInterval: 1_000,
    // Node's own error response would lack the headers of our responses.
    requireHostHeader: false,
    shouldUpgradeCallback: (request) => mayUpgrade(request) && (upgrades.shouldUpgrade?.(request) ?? false),
  };
  const connections = new Connections(handle, draining, logger);
  const maxSeconds = slowSeconds * maxPauseFactor;
  const initialSeconds = maxUploadSeconds === undefined ? slowSeconds : maxSeconds;
  const slowBodies = new SlowBodies({ initialSeconds, maxSeconds }, ({ socket }) =>
    server.emit('clientError', new SlowBody('The body arrives too slowly.'), socket),
  );
  const server = createServer(options, (request, response) => {
    if (hasBody(request)) joinParts(request);
    slowBodies.watch(request);
    connections.handle(request, response);
  });
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
