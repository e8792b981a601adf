import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

// Below the ports that systems choose for outgoing connections (from 32768 on Linux): one of those could take the port
// before the program listens to it. Above 10080, the last of the ports that `fetch` rejects around here.
const first = 10_100;
const last = 32_700;

/** A free port of this machine, which no outgoing connection takes meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await tryPort(randomInt(first, last)).catch(() => undefined);
    if (port !== undefined) return port;
  }
}

/** The first of several free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const port = await freePort();
    const others = Array.from({ length: count - 1 }, (_, index) => tryPort(port + index + 1));
    if ((await Promise.allSettled(others)).every(({ status }) => status === 'fulfilled')) return port;
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
