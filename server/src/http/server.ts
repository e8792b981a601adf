import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import {
  type Operation,
  openApiDocument,
  operations,
  type Site,
  takesIdempotencyKey,
  takesIfMatch,
  takesIfNoneMatch,
} from '@gatehouse/contract';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Clock } from '../base/clock.ts';
import { Refusal } from '../base/refusal.ts';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import type { SeenSession } from '../routing/route.ts';
import type { Database } from '../storage/database.ts';
import type { Admission } from './admission.ts';
import { type Caller, secretOf } from './authentication.ts';
import type { Call, Idempotency, Outcome, Performer } from './call.ts';
import { answerConnectionError } from './connection-errors.ts';
import { Connections } from './connections.ts';
import { addDashboard } from './dashboard.ts';
import { addDocumentation } from './documentation.ts';
import { sendComplaint, sendError } from './error-answer.ts';
import { Gate } from './gate.ts';
import { parseIdempotencyKey } from './idempotency.ts';
import { parseJsonBody } from './json-body.ts';
import type { PageSettings } from './page-request.ts';
import type { RateLimits } from './rate-limit.ts';
import { RequestLog } from './request-log.ts';
import { commonHeaders, strictTransportSecurity } from './response-headers.ts';
import { addSelfCheck, type SelfCheck } from './self-check.ts';
import { etagOf } from './service.ts';
import { TrustedProxies } from './site-request.ts';
import { answerKey, fingerprintOf } from './stored-answer.ts';
import { compileShapeCheck } from './validation.ts';
import { VisitedHosts } from './visited-host.ts';
import { addVisitorPages } from './visitor-pages.ts';

const apiPrefix = '/api/v1';
const largestBodyBytes = 1024 * 1024;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface ServerSettings {
  readonly version: string;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly unauthenticatedRateLimit: number;
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutSeconds: number;
  readonly pages: PageSettings;
  /** Where the dashboard is built to. */
  readonly dashboardFolder: string;
  /** What `./gatehouse doctor` may ask for; left out where nobody runs it. */
  readonly selfCheck?: SelfCheck | undefined;
}

export interface ServerParts {
  readonly admission: Admission;
  readonly limits: RateLimits;
  /** Where an operation runs. */
  readonly performerOf: (operation: Operation, call: Call) => Performer;
  /** Where visitors' changes are made. */
  readonly writer: Performer;
  /** For reading what pages show. */
  readonly database: Database;
  readonly gatekeeper: Gatekeeper;
  /** The hidden site whose members are the operators. */
  readonly realm: Site;
  /** Told of a session in use that was not seen for a while. */
  readonly onSeen: (siteId: string, session: SeenSession) => void;
  /** @throws when the store does not answer */
  readonly checkStore: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on operations of the contract that ask for a permission. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Set on operations of the contract. */
    operation?: Operation;
    /** Answered to anybody and counted nowhere. */
    uncounted?: boolean;
  }
}

/** The HTTP side of Gatehouse: every operation of the contract, the documentation and the health checks. */
export function createServer(parts: ServerParts, settings: ServerSettings): FastifyInstance {
  const { admission, limits, logger } = parts;
  const headers = settings.publicUrl.startsWith('https:')
    ? { ...commonHeaders, 'strict-transport-security': strictTransportSecurity }
    : commonHeaders;
  const proxies = new TrustedProxies(settings.trustedProxies);
  const visitedHosts = new VisitedHosts(proxies, settings.publicUrl);
  const gate = new Gate({ gatekeeper: parts.gatekeeper, proxies, visitedHosts, logger });
  const httpOptions: ServerOptions = {
    requestTimeout: settings.requestTimeoutSeconds * 1_000,
    keepAliveTimeout: 65_000,
    headersTimeout: Math.min(10, settings.requestTimeoutSeconds) * 1_000,
    connectionsCheckingInterval: 1_000,
    // Node would refuse without the headers of every answer.
    requireHostHeader: false,
  };
  const requestLog = new RequestLog(logger);
  let connections: Connections;
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child for each request costs more than the few lines that are logged; those name the request themselves.
    childLoggerFactory: (parent) => parent,
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && uuidForm.test(id) ? id.toLowerCase() : randomUUID(),
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    bodyLimit: largestBodyBytes,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Longer parameters than Node's headers allow cannot come; each is then measured by its schema.
    routerOptions: { maxParamLength: 16_384 },
    connectionTimeout: 0,
    serverFactory: (handler) => {
      // The gate is asked at every request of every visitor, so it stands before the framework.
      connections = new Connections((request, response) =>
        gate.takes(request) ? gate.answer(request, response) : handler(request, response),
      );
      const server = createHttpServer(httpOptions, (request, response) =>
        connections.handle(request, response),
      );
      connections.addAllOf(server);
      return server;
    },
    rewriteUrl: ({ url }) => originForm(url!),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      answerConnectionError(error, socket, { limits, requestLog }, settings.unauthenticatedRateLimit).catch(
        () => socket.destroy(),
      );
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id });
      admission.admitAddress(request, reply).then(
        () => sendError(error, request, reply),
        (refusal) => sendError(refusal, request, reply),
      );
    },
  });

  // For clients that do not read their answers: requests end sooner, and connections at rest have a time of their own.
  server.server.timeout = (Math.max(settings.requestTimeoutSeconds, 15) + 5) * 1_000;

  server.addHook('preClose', async () => connections.stop());
  server.addHook('onClose', async () => requestLog.close());
  server.decorate('requestLog', requestLog);
  server.decorateRequest('caller', null);
  server.decorateRequest('site', null);
  server.decorateRequest('knownBrowser', null);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    const { operation, uncounted } = request.routeOptions.config;
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      await admission.admitAddress(request, reply);
      throw new Refusal('invalid_request', 'The header Host is missing, which HTTP/1.1 asks for. Send it.');
    }
    if (uncounted) admission.admitUncounted(reply);
    else if (operation ? operation.permission === null : !request.url.startsWith(`${apiPrefix}/`)) {
      await admission.admitAddress(request, reply);
    } else request.caller = await admission.admitCaller(request, reply, operation);
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ routeOptions }: FastifyRequest, body: Buffer) =>
      // Some programs name the type on every request, with nothing in it.
      body.length === 0 && routeOptions.config.operation?.body === null ? undefined : parseJsonBody(body),
  );
  server.setErrorHandler<FastifyError>((error, request, reply) =>
    // The framework's own refusal of QUERY, which no path takes.
    error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
      ? answerUnknown(request, reply)
      : sendError(error, request, reply),
  );
  server.setNotFoundHandler(answerUnknown);
  // An expectation that is not known may be passed over (RFC 9110, section 10.1.1).
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );

  for (const operation of Object.values(operations)) {
    if (operation.id !== 'getOpenApi') addOperation(server, parts, operation);
  }
  addOpenApi(server, settings.version);
  addDocumentation(server);
  addVisitorPages(server, { ...parts, visitedHosts, settings: settings.pages });
  const { pages, version, dashboardFolder } = settings;
  addDashboard(server, { ...parts, settings: pages, version, dashboardFolder });
  const { selfCheck } = settings;
  if (selfCheck) addSelfCheck(server, { ...selfCheck, proxies, visitedHosts, gatekeeper: parts.gatekeeper });
  server.get('/healthz', { config: { uncounted: true } }, async () => ({ status: 'ok' }));
  server.get('/readyz', { config: { uncounted: true } }, async () => {
    await parts.checkStore();
    return { status: 'ok' };
  });
  return server;
}

function addOperation(server: FastifyInstance, parts: ServerParts, operation: Operation): void {
  const { admission } = parts;
  const checkShape = compileShapeCheck(operation);
  server.route({
    method: operation.method,
    url: apiPrefix + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const { params, query } = request;
      if (operation.body !== null && request.headers['content-type'] === undefined) throw missingMediaType();
      const shape = { params, query, body: operation.body === null ? undefined : request.body };
      checkShape(shape);
      // The body may have taken its time, and whoever began to send it may have lost the right to since.
      if (operation.body !== null) request.caller = await admission.admitAgain(request, operation);
      const call = toCall(operation, request, shape, parts.clock);
      const outcome = await parts.performerOf(operation, call).perform(call);
      if (outcome.kind === 'success' && outcome.seen) parts.onSeen(call.siteId, outcome.seen);
      return sendOutcome(operation, request, reply, outcome);
    },
  });
}

/** The one operation without a key, so without a site: its answer is always the same. */
function addOpenApi(server: FastifyInstance, version: string): void {
  const operation: Operation = operations.getOpenApi;
  const checkShape = compileShapeCheck(operation);
  const payload = JSON.stringify(openApiDocument({ version }));
  const outcome: Outcome = { kind: 'success', payload, headers: {} };
  server.get(apiPrefix + operation.path, { config: { operation } }, (request, reply) => {
    checkShape({ params: request.params, query: request.query, body: undefined });
    return sendOutcome(operation, request, reply, outcome);
  });
}

function toCall(
  operation: Operation,
  request: FastifyRequest,
  shape: Pick<Call, 'params' | 'query' | 'body'>,
  clock: Clock,
): Call {
  const { siteId, actor, permissions } = request.caller!;
  const idempotencyKey = takesIdempotencyKey(operation)
    ? single(request.headers['idempotency-key'])
    : undefined;
  const target = request.url.slice(apiPrefix.length);
  return {
    operationId: operation.id as Call['operationId'],
    changes: operation.method !== 'GET' && !operation.readOnly,
    siteId,
    permissions,
    cause: { actor, requestId: request.id, clientAddress: request.ip, at: clock().toISOString() },
    ...shape,
    target,
    ifMatch: takesIfMatch(operation) ? request.headers['if-match'] : undefined,
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : toIdempotency(parseIdempotencyKey(idempotencyKey), request, siteId, target, shape.body),
  };
}

function toIdempotency(
  key: string,
  { method, headers }: FastifyRequest,
  siteId: string,
  target: string,
  body: unknown,
): Idempotency {
  const secret = secretOf(headers.authorization!)!;
  const sealedWith = answerKey(secret, siteId, key);
  return { key, fingerprint: fingerprintOf(sealedWith, method, target, body), answerKey: sealedWith };
}

function sendOutcome(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Outcome,
): FastifyReply {
  reply.headers(outcome.headers);
  if (outcome.kind === 'refused') return sendComplaint(request, reply, outcome);
  const { payload } = outcome;
  reply.code(operation.success.status);
  if (payload === null) return reply.send();
  if (operation.success.headers.includes('ETag')) {
    const etag = etagOf(payload);
    reply.header('etag', etag);
    if (takesIfNoneMatch(operation) && isUnchanged(request.headers['if-none-match'], etag)) {
      return reply.code(304).send();
    }
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(payload);
}

/** `If-None-Match` (RFC 9110, section 13.1.2), compared weakly. */
function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** A target may also name the host (RFC 9112, section 3.2.2), which says nothing here. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}

const pathPatterns = Object.values(operations).map((operation: Operation) => ({
  method: operation.method,
  pattern: new RegExp(
    `^${apiPrefix}${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  ),
}));

/** Tells an unknown path from a known one with another method. */
function answerUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0]!;
  const methods = pathPatterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) {
    return sendComplaint(request, reply, {
      code: 'not_found',
      message: 'There is nothing at this path. Check the path: the operations are listed at /docs.',
    });
  }
  const allow = [
    ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
  ].join(', ');
  reply.header('allow', allow);
  return sendComplaint(request, reply, {
    code: 'method_not_allowed',
    message: `This path does not take this method. Use one of ${allow}.`,
  });
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function missingMediaType(): Refusal {
  return new Refusal(
    'unsupported_media_type',
    'The body is not marked as JSON. Send JSON with the header Content-Type: application/json.',
  );
}
