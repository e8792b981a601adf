import type { FastifyInstance } from 'fastify';
import { type BaseServerParts, type BaseServerSettings, createBaseServer } from './base-server.ts';
import { type MetricsParts, metrics } from './metrics/metrics.ts';
import { ErrorPages } from './shared/errors/error-pages.ts';
import { type RequestMonitoring, RequestObserver } from './shared/observe/request-observer.ts';
import { TrustedProxies } from './shared/requests/site-request.ts';

export interface MetricsServerParts
  extends Omit<BaseServerParts, 'errorPages' | 'first' | 'observer' | 'proxies'>,
    Pick<MetricsParts, 'collect'> {
  readonly monitoring: RequestMonitoring;
}

export interface MetricsServerSettings extends Omit<BaseServerSettings, 'publicUrl' | 'idleSeconds'> {
  readonly metricsToken: string | undefined;
}

/** The server of the metrics, at an address of its own. Nothing else is on it. */
export function createMetricsServer(
  parts: MetricsServerParts,
  { metricsToken: token, ...settings }: MetricsServerSettings,
): FastifyInstance {
  const { admission, collect, logger, monitoring } = parts;
  const proxies = new TrustedProxies(settings.trustedProxies);
  const observer = new RequestObserver(monitoring, logger);
  const first = { handles: () => false, handle: () => {} };
  const errorPages = new ErrorPages(() => false);
  const server = createBaseServer({ ...parts, first, observer, proxies, errorPages }, settings);
  server.register(metrics, { admission, collect, token });
  return server;
}
