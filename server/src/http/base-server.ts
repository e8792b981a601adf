import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { ApiError } from '../base/api-error.ts';
import { isUuid } from '../base/ids.ts';
import { respondToConnectionError } from './connections/connection-errors.ts';
import { createNodeServer, type NodeServer } from './connections/node-server.ts';
import type { UpgradeHandler } from './connections/upgrades.ts';
import { observeRoutes } from './observed-routes.ts';
import type { Admission } from './shared/credentials/admission.ts';
import type { Draining } from './shared/draining.ts';
import type { ErrorPages } from './shared/errors/error-pages.ts';
import { isMethodUnknown, sendError, sendNotFound } from './shared/errors/error-response.ts';
import type { RateLimits } from './shared/limits/rate-limit.ts';
import { RequestLog } from './shared/observe/request-log.ts';
import type { RequestObserver } from './shared/observe/request-observer.ts';
import { hostFault } from './shared/requests/host-header.ts';
import { commonHeadersFor } from './shared/requests/response-headers.ts';
import type { TrustedProxies } from './shared/requests/site-request.ts';

/** Handles requests before the framework, which would add considerably to their cost. */
export interface RequestHandler extends UpgradeHandler {
  handles(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export interface BaseServerParts {
  readonly first: RequestHandler;
  readonly observer: RequestObserver;
  readonly proxies: TrustedProxies;
  readonly admission: Admission;
  readonly errorPages: ErrorPages;
  readonly limits: RateLimits;
  readonly draining: Draining;
  readonly logger: FastifyBaseLogger;
}

export interface BaseServerSettings {
  /** The URL of the API and the dashboard, on the server that has them. */
  readonly publicUrl?: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly unauthenticatedRateLimit: number;
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutSeconds: number;
  /** How long it may take to send a body that does not pause, if that is longer. */
  readonly maxUploadSeconds?: number;
  /** How long a connection may be open without a byte, if not for the time of a request. */
  readonly idleSeconds?: number;
}

/**
 * The server that all parts are registered on. It puts the gate first, or the site, and sets the headers and the request ID of
 * every response. It reads no bodies: each part registers the parsers it needs.
 */
export function createBaseServer(parts: BaseServerParts, settings: BaseServerSettings): FastifyInstance {
  const { admission, draining, errorPages, first, limits, logger, observer, proxies } = parts;
  const headers = commonHeadersFor(settings.publicUrl);
  const requestLog = new RequestLog(logger);
  let node: NodeServer;
  const server = Fastify({
    ...frameworkOptions(settings, proxies),
    loggerInstance: logger,
    serverFactory: (handler) => {
      const handle = (request: IncomingMessage, response: ServerResponse) =>
        first.handles(request) && hostFault(request) === undefined
          ? first.handle(request, response)
          : handler(request, response);
      node = createNodeServer(observer.traced(handle, proxies), { ...settings, draining, logger }, first);
      return node.server;
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      const connectionParts = { limits, requestLog, errorPages };
      respondToConnectionError(error, socket, connectionParts, settings.unauthenticatedRateLimit).catch(() =>
        socket.destroy(),
      );
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'x-request-id': request.id });
      admission
        .admitAddress(request, reply)
        .then(() => sendFrameworkError(error, request, reply, errorPages))
        .catch((apiError) => sendError(apiError, request, reply));
    },
  });
  server.addHook('preClose', async () => node.connections.stop());
  server.addHook('onClose', async () => requestLog.close());
  server.decorate('requestLog', requestLog);
  observeRoutes(server, observer);
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    const fault = hostFault(request.raw);
    if (fault === undefined) return;
    await admission.admitAddress(request, reply);
    throw new ApiError('invalid_request', fault);
  });
  server.setErrorHandler((error, request, reply) =>
    isMethodUnknown(error) ? sendNotFound(request, reply) : sendError(error, request, reply),
  );
  server.register(unknownPaths, { admission });
  return server;
}

/** The framework rejects a path that it cannot read before it chooses a part of the server. */
async function sendFrameworkError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorPages: ErrorPages,
): Promise<void> {
  const acceptLanguage = request.headers['accept-language'];
  const sender = request.socket.remoteAddress ?? '';
  const page = await errorPages.pageFor({ target: request.url, acceptLanguage, sender }, 'bad_request');
  if (!page) return void sendError(error, request, reply);
  request.server.requestLog.rejected(request, 400, 'invalid_request');
  reply.code(400).headers(page.headers).send(page.body);
}

/** Handles paths that belong to no part. */
const unknownPaths: FastifyPluginAsync<Pick<BaseServerParts, 'admission'>> = async (
  server,
  { admission },
) => {
  server.addHook('onRequest', (request, reply) => admission.admitAddress(request, reply));
  server.setNotFoundHandler(sendNotFound);
};

function frameworkOptions({ trustedProxies }: BaseServerSettings, proxies: TrustedProxies) {
  return {
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs more than the few lines that are logged; those name the request
    // themselves.
    childLoggerFactory: (parent) => parent,
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      typeof id === 'string' && isUuid(id) ? id.toLowerCase() : randomUUID(),
    trustProxy: trustedProxies.length > 0 && ((address: string) => proxies.trusts(address)),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Node's limit on headers bounds parameters to less than this; each is then checked by its schema.
    routerOptions: { maxParamLength: 16_384 },
    connectionTimeout: 0,
    // The framework's own would be loaded at the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    rewriteUrl: ({ url }) => originForm(url!),
  } satisfies FastifyServerOptions;
}

/** Routes check requests and write responses themselves, from the shapes of the contract. */
function noSchemas(): never {
  throw new Error('Routes have no schemas of the framework.');
}

/**
 * The target may be in absolute form (RFC 9112, section 3.2.2); its host is ignored. One without a path, such as that of
 * `OPTIONS *`, belongs to no part either.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
