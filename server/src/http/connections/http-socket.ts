import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Internals of Node: the response that the socket is sending, and the parser of its requests. */
export interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { onIncoming: unknown } | null;
}

/** The response that a connection is sending, or will send next. */
export function currentResponse(socket: Socket): ServerResponse | undefined {
  return (socket as HttpSocket)._httpMessage ?? undefined;
}
