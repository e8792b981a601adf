import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site, SiteHost } from '@gatehouse/contract';
import { expectResponse } from './contract/answers.ts';
import type { TestSite } from './test-server.ts';

/** What a server has at a path: a body of the type of its ending, or what responds. */
export type Served = string | ((response: ServerResponse, request: IncomingMessage) => void);

/** The server of a site without a gate, on this machine. */
export interface PageServer {
  /** The domain of a site, with the port. */
  readonly domain: string;
  /** What it has, by path. */
  readonly pages: Record<string, Served>;
  /** The requests so far. */
  readonly requests: IncomingMessage[];
  stop(): Promise<void>;
}

const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };

export async function startPageServer(pages: Record<string, Served>): Promise<PageServer> {
  const requests: IncomingMessage[] = [];
  const serve: RequestListener = (request, response) => {
    requests.push(request);
    const path = request.url!.replace(/\?.*/, '');
    const served = Object.hasOwn(pages, path) ? pages[path]! : undefined;
    if (typeof served === 'function') return served(response, request);
    response.setHeader('content-type', types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8');
    response.writeHead(served === undefined ? 404 : 200).end(served);
  };
  const server = createServer(serve);
  const port = await listenOnUnusedPort(server);
  return {
    domain: `127.0.0.1:${port}`,
    pages,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The ports of all page servers so far: sites of earlier tests still have them. */
const usedPorts = new Set<number>();

async function listenOnUnusedPort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (!usedPorts.has(port)) {
    usedPorts.add(port);
    return port;
  }
  server.close();
  await once(server, 'close');
  return listenOnUnusedPort(server);
}

/** Adds a host to a site. It replaces one that differs only in the port. */
export async function addHost(site: TestSite, domain: string): Promise<void> {
  const nameOf = (host: SiteHost) => host.domain.replace(/:\d+$/, '');
  const { hosts }: Site = (await site.get('/site')).body.data;
  const others = hosts.filter((host) => nameOf(host) !== domain.replace(/:\d+$/, ''));
  expectResponse('updateSite', await site.patch('/site', { hosts: [...others, { domain }] }), 200);
}
