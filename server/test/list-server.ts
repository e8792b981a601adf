import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves one list, as a spreadsheet that was published at an address. */
export interface ListServer {
  readonly address: string;
  /** What is served next. */
  body: string | Uint8Array;
  status: number;
  headers: Record<string, string>;
  /** Responds to the next requests in another way. */
  respond: ((response: ServerResponse) => void) | undefined;
  /** The headers of the requests so far. */
  readonly requests: IncomingHttpHeaders[];
  stop(): Promise<void>;
}

export async function startListServer(body: string | Uint8Array): Promise<ListServer> {
  const server = createServer((request, response) => {
    list.requests.push(request.headers);
    if (list.respond) return list.respond(response);
    const isKnown = list.headers.etag !== undefined && request.headers['if-none-match'] === list.headers.etag;
    response.writeHead(isKnown ? 304 : list.status, { 'content-type': 'text/csv', ...list.headers });
    response.end(isKnown ? undefined : list.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const list: ListServer = {
    address: `http://127.0.0.1:${port}/members.csv`,
    body,
    status: 200,
    headers: {},
    respond: undefined,
    requests: [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return list;
}
