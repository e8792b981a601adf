import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy in front of a service that lets a test decide about each request: answer it here, or forward it. */
export async function gateBefore(
  target: string,
  decide: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>,
): Promise<{ address: string }> {
  const server = createServer(async (incoming, response) => {
    if (!(await decide(incoming, response))) return;
    const { method, headers } = incoming;
    const outgoing = request(target + incoming.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
