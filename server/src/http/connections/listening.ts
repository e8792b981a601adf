import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long requests in progress may take to finish; the rest of the ten seconds is for closing the store. */
const stopSeconds = 8;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A port that no other program can listen on until it is released. */
export interface ReservedPort {
  release(): void;
}

/**
 * Takes a port before the server can use it. Connections to it are closed without a response.
 * @throws the error of the operating system when the port is in use
 */
export async function reservePort(address: ListenAddress): Promise<ReservedPort> {
  const placeholder = createServer((socket) => socket.destroy());
  // Workers would share it, and a connection to it that is on the way from one to the next would stay open for ever.
  placeholder.listen({ port: address.port, host: address.host, exclusive: true });
  await once(placeholder, 'listening');
  return { release: () => void placeholder.close() };
}

/** Stops accepting requests, and waits for those in progress. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const force = setTimeout(() => server.server.closeAllConnections(), stopSeconds * 1_000);
  await server.close();
  clearTimeout(force);
}

/** The URL of the server, such as `http://127.0.0.1:8080`. */
export function addressOf(server: FastifyInstance): string {
  const { address, family, port } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
