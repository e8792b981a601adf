import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that passes connections on to another one, which can change. */
export interface Relay {
  readonly port: number;
  /** Closes all connections. New ones lead to this port; without one, they are closed. */
  leadTo(port: number | undefined): void;
  close(): void;
}

/** Starts a relay on loopback. */
export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let current: number | undefined = target;
  const server = createServer((near) => {
    if (current === undefined) return void near.destroy();
    const far = connect(current, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      current = port;
      closeAll();
    },
    close() {
      closeAll();
      server.close();
    },
  };
}
