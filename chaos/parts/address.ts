import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { World } from './world.ts';

/** An address that leads to one server or another, such as a name or a virtual address that moves. */
export interface MovableAddress {
  readonly port: number;
  /** New connections go to this port. */
  leadTo(port: number): void;
  /** Breaks the connections that are open now. */
  breakConnections(): void;
}

export async function createMovableAddress(world: World, port: number): Promise<MovableAddress> {
  let target = port;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const close = () => {
      for (const socket of [client, upstream]) socket.destroy();
      open.delete(client);
    };
    open.add(client);
    for (const socket of [client, upstream]) socket.on('error', close).on('close', close);
    client.pipe(upstream);
    upstream.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakConnections = () => {
    for (const socket of open) socket.destroy();
  };
  world.atEnd(() => {
    server.close();
    breakConnections();
  });
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (next) => {
      target = next;
    },
    breakConnections,
  };
}
