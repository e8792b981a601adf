import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ProxiedSite } from './visitor.ts';

export interface OpenWebSocket {
  /** The next message that was not returned before. */
  next(): Promise<string>;
  send(text: string): void;
  close(): void;
  /** Resolves to the code with which the other side closes it. */
  readonly closed: Promise<number>;
}

/** Opens a WebSocket through a proxy. Rejects with the status in the message if it is denied. */
export async function openWebSocket(
  { port, host, certificate }: ProxiedSite,
  target: string,
  cookie: string,
): Promise<OpenWebSocket> {
  const isEncrypted = certificate !== undefined;
  const socket = new WebSocket(`${isEncrypted ? 'wss' : 'ws'}://127.0.0.1:${port}${target}`, {
    ...(isEncrypted && { ca: certificate, servername: host }),
    origin: `${isEncrypted ? 'https' : 'http'}://${host}`,
    headers: { host, ...(cookie !== '' && { cookie }) },
  });
  const messages: string[] = [];
  socket.on('message', (message) => messages.push(String(message)));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await once(socket, 'open');
  return {
    async next() {
      while (messages.length === 0) await once(socket, 'message');
      return messages.shift()!;
    },
    send: (text) => socket.send(text),
    close: () => socket.close(),
    closed,
  };
}
