import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The reaction of the server to a request. */
export type Reaction =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'drop the connection'
  | 'stop in the middle'
  | 'never answer';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server with one given reaction per request; the last one also applies to later requests. Stops after the test. */
export async function startScriptedServer(...reactions: [Reaction, ...Reaction[]]) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url, headers, body });
    const reaction = reactions[Math.min(requests.length, reactions.length) - 1]!;
    if (reaction === 'never answer') return;
    if (reaction === 'drop the connection') return request.socket.destroy();
    if (reaction === 'stop in the middle') {
      response.writeHead(200, { 'content-length': 100 }).write('{"data":');
      return setImmediate(() => request.socket.destroy());
    }
    const text = typeof reaction.body === 'string' ? reaction.body : JSON.stringify(reaction.body);
    return response.writeHead(reaction.status, reaction.headers).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** An error reply of Gatehouse. */
export function apiError(status: number, code: string, headers: Record<string, string> = {}): Reaction {
  const requestId = '0f8fad5b-d9cb-469f-a165-70867728950e';
  return {
    status,
    headers: { 'x-request-id': requestId, ...headers },
    body: { error: { code, message: 'Try again.', requestId } },
  };
}
