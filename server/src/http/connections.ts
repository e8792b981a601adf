import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for the answer to an earlier one. */
const maxWaitingRequests = 128;
/** How long a request may take to arrive whole once the server stops; nothing has been done for it yet. */
const maxArrivalSeconds = 2;

/** Node keeps the response whose turn it is on the socket, and its parser of requests. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { onIncoming: unknown } | null;
}

/**
 * The connections of the server. The requests of one connection run one after another, and those of others come in
 * between: whoever sends many without waiting for the answers (RFC 9112, section 9.3.2) delays nobody else.
 */
export class Connections {
  readonly #handle: RequestListener;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new WeakMap<Socket, number>();
  #stopping = false;

  constructor(handle: RequestListener) {
    this.#handle = handle;
  }

  /** Takes a server's connections over. */
  addAllOf(server: Server): void {
    // A client that has sent all it wants to send may still read the answers.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Node takes a connection for idle whose answer is written but not yet sent, and would cut it.
    server.closeIdleConnections = () => {};
    server.on('connection', (socket) => {
      if (this.#stopping) socket.destroy();
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Handles a request now, or when the requests before it on the same connection are answered. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    // A response that has to wait for its turn has no socket yet.
    if (response.socket !== null) this.#handle(request, response);
    else this.#wait(request, response);
  }

  /** Closes connections without a request at once, and the others after the answer to the request that runs. */
  stop(): void {
    this.#stopping = true;
    for (const socket of this.#sockets) {
      const response = responseInTurn(socket);
      if (response) closeAfter(response, socket);
      else socket.destroy();
    }
    setTimeout(() => {
      for (const socket of this.#sockets) {
        if (!responseInTurn(socket)?.req.complete) socket.destroy();
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
      // Once a turn of the event loop, so that other connections are read in between.
      setImmediate(() => {
        if (socket.writable) this.#handle(request, response);
      });
    });
  }
}

/** The response that a connection sends now, or waits for. */
export function responseInTurn(socket: Socket): ServerResponse | undefined {
  return (socket as HttpSocket)._httpMessage ?? undefined;
}

/** What waits behind the response is not sent: a client knows by `Connection: close` that nothing was done for it. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  response.once('finish', () => socket.destroySoon());
}

/**
 * Ends a connection in the middle of what its parser reads: each further request in it would cost an error of its own
 * when the connection closes. The parser stops where it is told that another protocol follows.
 */
function cut(socket: HttpSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.destroy();
}
