import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A free port of this machine. */
export function freePort(): Promise<number> {
  return tryPort(0);
}

/** The first of several free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const others = Array.from({ length: count - 1 }, (_, index) => tryPort(first + index + 1));
    if ((await Promise.allSettled(others)).every(({ status }) => status === 'fulfilled')) return first;
  }
}

async function tryPort(wanted: number): Promise<number> {
  const listener = createServer().listen(wanted, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
