import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long requests that are under way may take to end; what is left of ten seconds closes the store. */
const stopSeconds = 8;

/** Takes no more requests, and lets those under way end. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const force = setTimeout(() => server.server.closeAllConnections(), stopSeconds * 1_000);
  await server.close();
  clearTimeout(force);
}

/** Where the server listens, `http://127.0.0.1:8080`. */
export function addressOf(server: FastifyInstance): string {
  const { address, family, port } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
