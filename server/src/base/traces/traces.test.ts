import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDomain } from '../../../test/contract/given.ts';
import { freePort } from '../../../test/free-port.ts';
import { type MailServer, startMailServer } from '../../../test/mail-server.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import { startTestServer, type TestServer, visit } from '../../../test/test-server.ts';
import { Visitor } from '../../../test/visitor.ts';
import { OutgoingHttp } from '../../connectors/outgoing/outgoing-http.ts';
import { openTracing } from './otlp-tracing.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span as OTLP/JSON has it. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const [serverKind, clientKind, errorCode] = [2, 3, 2];

const attributeOf = ({ attributes }: { attributes: readonly Attribute[] }, key: string) =>
  Object.values(attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

/** A collector that takes spans by OTLP over HTTP. */
async function aCollector(status = 200) {
  const spans: Span[] = [];
  const services = new Set<unknown>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const batch = (await json(request)) as Batch;
    expect([request.method, request.url]).toEqual(['POST', '/v1/traces']);
    for (const { resource, scopeSpans } of batch.resourceSpans) {
      services.add(attributeOf(resource, 'service.name'));
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  return { url, spans, services, stop: () => void server.close() };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;

forEachStore((store) => {
  let mailServer: MailServer;
  let collector: Awaited<ReturnType<typeof aCollector>>;
  let server: TestServer;
  beforeAll(async () => {
    mailServer = await startMailServer();
    collector = await aCollector();
    server = await startTestServer(store, {
      settings: {
        tracesUrl: collector.url,
        smtpUrl: mailServer.url,
        mailFrom: 'door@club.example.org',
        trustedProxies: ['127.0.0.1'],
        loginLimitClient: 0,
      },
    });
  });
  afterAll(async () => {
    collector.stop();
    await mailServer.stop();
  });

  test('a request, its transaction, the jobs and the emails are spans, which the collector gets', async () => {
    const site = await server.createSite();
    // The first use of the key is recorded in another transaction.
    await site.get('/site');
    const created = await site.post('/members', { email: 'ada@example.com' }, { traceparent });
    const requestId = created.headers.get('x-request-id');
    await new Visitor(site).requestLink('ada@example.com');
    await expect.poll(() => mailServer.deliveries.length, { interval: 20 }).toBe(1);
    await visit(server.address, 'GET', '/_gatehouse/forward-auth', {
      headers: { 'x-forwarded-host': await aDomain(site), 'x-forwarded-uri': '/secret-page' },
    });
    // The rest of the spans is sent when Gatehouse stops.
    await server.stop();
    const { spans, services } = collector;
    expect([...services]).toEqual(['gatehouse']);
    const request = spans.find((span) => attributeOf(span, 'gatehouse.request_id') === requestId)!;
    expect(request).toMatchObject({
      name: 'api createMember',
      kind: serverKind,
      traceId,
      parentSpanId: parentId,
    });
    expect([attributeOf(request, 'http.request.method'), attributeOf(request, 'gatehouse.site_id')]).toEqual([
      'POST',
      site.siteId,
    ]);
    expect(Number(attributeOf(request, 'http.response.status_code'))).toBe(201);
    // On SQLite it ran in another thread.
    const transactions = spans.filter((span) => span.name === 'transaction' && span.traceId === traceId);
    expect(transactions).toMatchObject([{ kind: clientKind, parentSpanId: request.spanId }]);
    const sent = spans.filter(({ name }) => name === 'send email');
    const jobs = spans.filter(({ name }) => name === 'job email-delivery');
    expect(sent).toMatchObject([{ kind: clientKind, traceId: expect.any(String) }]);
    expect(jobs.map(({ spanId }) => spanId)).toContain(sent[0]!.parentSpanId);
    for (const job of jobs) expect(job.parentSpanId ?? '').toBe('');
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gate forward-auth', 'job login-requests', 'site_pages /_gatehouse/login']),
    );
    for (const hidden of ['ada@example.com', site.key, '/secret-page'])
      expect(JSON.stringify(spans)).not.toContain(hidden);
  });
});

forOneStore((store) => {
  test('a visitor cannot choose the trace, and without a share nothing is recorded', async () => {
    const record = async (settings: { tracesPercent?: number; trustedProxies?: string[] }) => {
      const own = await aCollector();
      const other = await startTestServer(store, { settings: { tracesUrl: own.url, ...settings } });
      const site = await other.createSite();
      await site.get('/site', { traceparent });
      await other.stop();
      own.stop();
      return own.spans.filter(({ name }) => name === 'api getSite');
    };
    const [span, ...rest] = await record({ tracesPercent: 100 });
    expect(rest).toEqual([]);
    expect([span!.traceId === traceId, span!.parentSpanId ?? '']).toEqual([false, '']);
    expect(await record({ tracesPercent: 0 })).toEqual([]);
  });
});

test('an outgoing request is a span that names the server only, which is not told the trace', async () => {
  const collector = await aCollector();
  const headers: IncomingMessage['headers'][] = [];
  const target = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const closedPort = await freePort();
  const tracing = openTracing({ url: collector.url, percent: 100, version: '0.0.0' }, 'main', () => {});
  const settings = { allowedNetworks: ['127.0.0.0/8'], allowsHttp: true };
  const http = new OutgoingHttp(settings, { tracing });
  await tracing.continue(traceparent, () => http.fetch(`http://127.0.0.1:${port}/secret?token=secret`));
  await expect(
    tracing.continue(undefined, () => http.fetch(`http://127.0.0.1:${closedPort}/`)),
  ).rejects.toThrow();
  await Promise.all([http.close(), tracing.close()]);
  collector.stop();
  target.close();
  const [request, failed] = collector.spans;
  expect(request).toMatchObject({ name: 'outgoing GET', kind: clientKind, traceId, parentSpanId: parentId });
  expect(attributeOf(request!, 'server.address')).toBe('127.0.0.1');
  expect(Number(attributeOf(request!, 'http.response.status_code'))).toBe(204);
  expect(failed).toMatchObject({ status: { code: errorCode } });
  expect(JSON.stringify(collector.spans)).not.toContain('secret');
  expect(headers).toHaveLength(1);
  expect(headers[0]).not.toHaveProperty('traceparent');
});

test('a collector that takes no spans is reported once, and disturbs nothing', async () => {
  const collector = await aCollector(400);
  const reports: string[] = [];
  const settings = { url: collector.url, percent: 100, version: '0.0.0' };
  const tracing = openTracing(settings, 'main', (_, message) => reports.push(message));
  for (let time = 0; time < 600; time += 1) tracing.tracer.startSpan('work').end();
  await tracing.close();
  collector.stop();
  expect(reports).toEqual(['traces could not be sent and are dropped']);
});
