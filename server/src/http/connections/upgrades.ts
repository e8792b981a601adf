import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../shared/observe/arrival.ts';
import { hostFault } from '../shared/requests/host-header.ts';
import { currentResponse } from './http-socket.ts';

/** Takes over connections that leave HTTP (RFC 9110, section 7.8). A server without one ignores the header `Upgrade`. */
export interface UpgradeHandler {
  shouldUpgrade?(request: IncomingMessage): boolean;
  /** The response is for the case that the connection does not leave HTTP. */
  upgrade?(request: IncomingMessage, response: ServerResponse, socket: Socket, head: Buffer): void;
}

/**
 * Whether a connection may leave HTTP with this request. Before its body is complete, Node would pass on a stream that is
 * not the socket; and its response would come before those of earlier requests. Such a request is answered like any
 * other, which HTTP allows, and so is one that does not name its host.
 */
export function mayUpgrade(request: IncomingMessage): boolean {
  return (
    !hasBody(request) && currentResponse(request.socket) === undefined && hostFault(request) === undefined
  );
}

/** The response to a request that opens a connection of another protocol, for which Node creates none. */
export function responseToUpgrade(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  // Node has removed its own listeners.
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  socket.on('drain', () => currentResponse(socket)?.emit('drain'));
  return response;
}
