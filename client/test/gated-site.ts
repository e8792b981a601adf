import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express, { type Express } from 'express';
import express4 from 'express4';
import { fastify } from 'fastify';
import { type Context, Hono } from 'hono';
import { onTestFinished } from 'vitest';
import * as forExpress from '../src/gate/express.ts';
import * as forFastify from '../src/gate/fastify.ts';
import * as forHono from '../src/gate/hono.ts';
import * as forNext from '../src/gate/next.ts';
import type { Gatehouse, VerifiedSession } from '../src/index.ts';

export interface SiteOptions extends forExpress.GateOptions {
  /** Whether the site has its own page for denied members. */
  ownPage?: boolean;
}

/** A site with the same page at every path, which shows the visitor. Returns its URL and stops after the test. */
type StartSite = (gatehouse: Gatehouse, options?: SiteOptions) => Promise<string>;

export const frameworks: Record<string, StartSite> = {
  'Express 5': async (gatehouse, options = {}) => start(expressSite(express(), gatehouse, options)),
  'Express 4': async (gatehouse, options = {}) => start(expressSite(express4(), gatehouse, options)),
  Fastify: startFastify,
  Hono: startHono,
  'Next.js': async (gatehouse, options = {}) => start(nextSite(gatehouse, options)),
};

export const ownPage = 'Ask for a place.';
/** What the page at `/cached` says. */
const ownCacheControl = 'private, max-age=60';

export function page({ member }: VerifiedSession): string {
  return `The page, for ${member?.email ?? 'everybody'}.`;
}

function expressSite(app: Express, gatehouse: Gatehouse, options: SiteOptions): RequestListener {
  const denied = (_: express.Request, response: express.Response) => response.send(ownPage);
  app.use(forExpress.gate(gatehouse, { ...options, ...(options.ownPage && { denied }) }));
  app.use((request, response) => {
    if (request.path === '/cached') response.set('cache-control', ownCacheControl);
    response.send(page(forExpress.visitorOf(request)));
  });
  return app;
}

async function startFastify(gatehouse: Gatehouse, options: SiteOptions = {}): Promise<string> {
  const app = fastify();
  onTestFinished(() => app.close());
  const denied = () => ownPage;
  app.addHook('onRequest', forFastify.gate(gatehouse, { ...options, ...(options.ownPage && { denied }) }));
  app.all('*', async (request, reply) => {
    if (request.url === '/cached') reply.header('cache-control', ownCacheControl);
    return page(forFastify.visitorOf(request));
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

async function startHono(gatehouse: Gatehouse, options: SiteOptions = {}): Promise<string> {
  const app = new Hono();
  const denied = (context: Context) => context.text(ownPage, 403);
  app.use(forHono.gate(gatehouse, { ...options, ...(options.ownPage && { denied }) }));
  app.all('*', (context) => {
    if (context.req.path === '/cached') context.header('cache-control', ownCacheControl);
    return context.text(page(forHono.visitorOf(context)));
  });
  return startHonoApp(app);
}

export function startHonoApp(app: Hono): Promise<string> {
  return new Promise((resolve) => {
    // Other tests in this process need the Response of Node.
    const options = { fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false };
    const server = serve(options, ({ port }) => resolve(`http://127.0.0.1:${port}`));
    onTestFinished(() => {
      server.close();
    });
  });
}

/**
 * Passes a request through `proxy.ts` to a page like Next.js: the page receives the headers given to
 * `NextResponse.next`, and its response those of the answer, unless the page sets them.
 */
function nextSite(gatehouse: Gatehouse, options: SiteOptions): RequestListener {
  const denied = () => new Response(ownPage, { status: 403 });
  const proxy = forNext.gate(gatehouse, { NextResponse, ...options, ...(options.ownPage && { denied }) });
  return async (incoming, outgoing) => {
    const response = await proxy(toRequest(incoming)).catch(() => new Response(null, { status: 500 }));
    if (!response.headers.has('x-middleware-next')) {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
      return;
    }
    const cacheControl = incoming.url === '/cached' ? ownCacheControl : response.headers.get('cache-control');
    if (cacheControl !== null) outgoing.setHeader('cache-control', cacheControl);
    outgoing.end(page(await forNext.visitorOf(gatehouse, headersOfPage(response))));
  };
}

function toRequest({ method = '', url = '', headers }: IncomingMessage): Request {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(`http://127.0.0.1${url}`, { method, headers: entries });
}

/** Returns the request headers as response headers, like the `NextResponse` of Next.js. */
export const NextResponse = {
  next({ request: { headers } }: { request: { headers: Headers } }): Response {
    const passed = [...headers].map(([name, value]): [string, string] => [
      `x-middleware-request-${name}`,
      value,
    ]);
    return new Response(null, { headers: [['x-middleware-next', '1'], ...passed] });
  },
};

export function headersOfPage(response: Response): Headers {
  const prefix = 'x-middleware-request-';
  const passed = [...response.headers].filter(([name]) => name.startsWith(prefix));
  return new Headers(passed.map(([name, value]): [string, string] => [name.slice(prefix.length), value]));
}

export async function start(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface VisitOptions {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
}

/** Sends a request with an unnormalized path. */
export function visit(
  address: string,
  path: string,
  { method, headers }: VisitOptions = {},
): Promise<PageResponse> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method: method ?? 'GET', headers: headers ?? {}, agent: false };
    httpRequest(options, async (response) => {
      let body = '';
      for await (const chunk of response.setEncoding('utf8')) body += chunk;
      resolve({ status: response.statusCode!, headers: response.headers, body });
    })
      .on('error', reject)
      .end();
  });
}
