import { dashboardApiPrefix } from '@gatehouse/contract/dashboard';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { memberPages, operatorPages } from '../domain/sites/page-addresses.ts';
import { apiPrefix } from './api/operation-route.ts';
import { callerFactsOf } from './shared/observe/request-log.ts';
import type { Surface } from './shared/observe/request-metrics.ts';
import type { ObservedOperation, RequestFacts, RequestObserver } from './shared/observe/request-observer.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Records a stream when it is opened, instead of when it ends. */
    recordOpened?: (request: FastifyRequest, reply: FastifyReply) => void;
  }
  interface FastifyReply {
    isRecorded: boolean;
  }
  interface FastifyContextConfig {
    /** Set on every route. */
    observed?: ObservedOperation;
  }
}

/** The parts of the server by the beginning of their paths. The first that fits counts. */
const surfaces: readonly (readonly [start: string, surface: Surface])[] = [
  [`${apiPrefix}/`, 'api'],
  [dashboardApiPrefix, 'dashboard_api'],
  [operatorPages.prefix, 'dashboard'],
  [memberPages.prefix, 'site_pages'],
  ['/hooks', 'hooks'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
  ['/metrics', 'health'],
];

/** Records every request of the framework when its response is sent. The names of operations are known before the first. */
export function observeRoutes(server: FastifyInstance, observer: RequestObserver): void {
  if (!observer.isActive) return;
  const unknown = new Map<Surface, ObservedOperation>();
  const unknownOperation = (url: string): ObservedOperation => {
    const surface = surfaceOf(url);
    const known = unknown.get(surface) ?? observer.operation(surface, 'unknown');
    unknown.set(surface, known);
    return known;
  };
  server.addHook('onRoute', (route) => {
    const observed = observer.operation(surfaceOf(route.url), operationOf(route.url, route.config));
    route.config = { ...route.config, observed } as FastifyContextConfig;
  });
  const record = (request: FastifyRequest, reply: FastifyReply) => {
    if (!observer.records(reply.elapsedTime)) return;
    const observed = request.routeOptions.config?.observed ?? unknownOperation(request.url);
    observer.ended(observed, reply.raw, reply.elapsedTime, () => factsOf(request));
  };
  // How long a stream is open says nothing about the service.
  server.decorateReply('isRecorded', false);
  server.decorate('recordOpened', (request: FastifyRequest, reply: FastifyReply) => {
    reply.isRecorded = true;
    record(request, reply);
  });
  server.addHook('onResponse', (request, reply, done) => {
    if (!reply.isRecorded) record(request, reply);
    done();
  });
}

function surfaceOf(url: string): Surface {
  return url === '/' ? 'site_pages' : (surfaces.find(([start]) => url.startsWith(start))?.[1] ?? 'other');
}

/** The id of an operation of the contract, or the path of a route with the names of its parameters. */
function operationOf(url: string, config: FastifyContextConfig | undefined): string {
  return config?.operation?.id ?? config?.dashboardOperation?.id ?? url;
}

function factsOf(request: FastifyRequest): RequestFacts {
  return { requestId: request.id, method: request.method, ...callerFactsOf(request) };
}
