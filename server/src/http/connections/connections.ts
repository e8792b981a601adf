import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Draining } from '../shared/draining.ts';
import { contained } from '../shared/requests/contained.ts';
import { currentResponse, type HttpSocket } from './http-socket.ts';
import { responseToUpgrade } from './upgrades.ts';

/** The maximum number of pipelined requests of one connection that wait for an earlier response. */
const maxWaitingRequests = 128;
/**
 * How long a request may take to arrive completely after the server starts to stop; nothing has been done for it yet.
 */
const maxArrivalSeconds = 2;

/**
 * The connections of the server. The requests of one connection run sequentially, interleaved with those of other
 * connections: a client that pipelines many requests (RFC 9112, section 9.3.2) does not delay other clients.
 */
export class Connections {
  readonly #handle: RequestListener;
  readonly #draining: Draining;
  readonly #logger: FastifyBaseLogger;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new WeakMap<Socket, number>();
  #stopping = false;

  constructor(handle: RequestListener, draining: Draining, logger: FastifyBaseLogger) {
    this.#handle = handle;
    this.#draining = draining;
    this.#logger = logger;
  }

  /** Tracks all connections of a server. */
  addAllOf(server: Server): void {
    // A client that has finished sending may still read the responses.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Node treats a connection as idle once its response is written, even if not yet sent, and would close it.
    server.closeIdleConnections = () => {};
    server.on('connection', (socket) => {
      if (this.#stopping) socket.destroy();
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Handles a request now, or after the responses to earlier requests on the same connection. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    // A response that waits for an earlier one has no socket yet.
    if (response.socket !== null) this.#run(request, response);
    else this.#wait(request, response);
  }

  /** Handles a request that opens a connection of another protocol. */
  upgrade(request: IncomingMessage, socket: Socket, handle: (response: ServerResponse) => void): void {
    const response = responseToUpgrade(request, socket);
    this.#contain(socket, response, () => handle(response));
  }

  /** Closes connections without a request immediately, and the others after the response to the current request. */
  stop(): void {
    this.#stopping = true;
    for (const socket of this.#sockets) {
      const response = currentResponse(socket);
      if (response) closeAfter(response, socket);
      else socket.destroy();
    }
    setTimeout(() => {
      for (const socket of this.#sockets) {
        if (!currentResponse(socket)?.req.complete) socket.destroy();
      }
    }, maxArrivalSeconds * 1_000).unref();
  }

  #wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const count = (this.#waiting.get(socket) ?? 0) + 1;
    if (count > maxWaitingRequests) {
      cut(socket);
      return;
    }
    this.#waiting.set(socket, count);
    response.once('socket', () => {
      this.#waiting.set(socket, this.#waiting.get(socket)! - 1);
      // Wait for the next turn of the event loop, so that other connections are read in between.
      setImmediate(() => {
        if (socket.writable) this.#run(request, response);
      });
    });
  }

  #run(request: IncomingMessage, response: ServerResponse): void {
    // A client that kept the connection might use it again at the very moment when it is closed.
    if (this.#draining.isOn) response.setHeader('connection', 'close');
    this.#contain(request.socket, response, () => this.#handle(request, response));
  }

  /** An error that no handler expects ends the connection of its request, and not the process. */
  #contain(socket: Socket, response: ServerResponse, handle: () => void): void {
    response.on('error', (error) => {
      this.#logger.error({ err: error }, 'a response failed and its connection was closed');
      socket.destroy();
    });
    contained(socket, this.#logger, handle)();
  }
}

/**
 * Responses after this one are not sent. `Connection: close` tells the client that those requests were not processed.
 */
function closeAfter(response: ServerResponse, socket: Socket): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  response.once('finish', () => socket.destroySoon());
}

/**
 * Closes a connection while its parser is reading: otherwise every further request in the same data would cost an
 * error when the connection closes. The parser stops when the return value 2 announces another protocol.
 */
function cut(socket: HttpSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}
