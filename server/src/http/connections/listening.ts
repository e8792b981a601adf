import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long requests in progress may take to finish; the rest of the ten seconds is for closing the store. */
const stopSeconds = 8;

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
