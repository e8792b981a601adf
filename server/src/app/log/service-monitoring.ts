import type { Clock } from '../../base/clock.ts';
import { gauge, type Metric } from '../../base/metrics/metric.ts';
import { commit, version } from '../../base/version.ts';
import { RequestMetrics } from '../../http/shared/observe/request-metrics.ts';
import type { RequestMonitoring } from '../../http/shared/observe/request-observer.ts';
import { DueWork } from '../../jobs/due-work.ts';
import type { Monitoring, MonitoringSettings } from '../../runtime/monitoring.ts';
import type { Database } from '../../storage/database.ts';
import type { Settings } from '../settings/settings.ts';

/** What every thread of the process records. */
export function monitoringSettings({
  slowStatementMilliseconds,
  tracesUrl: url,
  tracesPercent: percent,
}: Settings): MonitoringSettings {
  return { slowStatementMilliseconds, traces: url === undefined ? undefined : { url, percent, version } };
}

/** The parts of the service that have metrics of their own. */
export interface ObservedStore {
  readonly database: Database;
  /** Of all threads. */
  metrics(): Promise<readonly Metric[]>;
}

export interface ServiceObservation {
  readonly monitoring: RequestMonitoring;
  readonly collect: () => Promise<readonly Metric[]>;
}

/** What the servers record about requests, and how the metrics of the process are collected. */
export function observeService(
  settings: Settings,
  store: ObservedStore,
  streams: readonly { metrics(): readonly Metric[] }[],
  clock: Clock,
  monitoring: Monitoring,
): ServiceObservation {
  const { metricsPort, metricsToken, slowRequestMilliseconds } = settings;
  const isReadable = metricsPort !== undefined || metricsToken !== undefined;
  const metrics = isReadable ? new RequestMetrics() : undefined;
  const { tracing } = monitoring;
  const dueWork = new DueWork(store.database, clock);
  const labels = {
    version,
    ...(commit !== undefined && { commit }),
    node: process.versions.node,
    store: store.database.dialect,
  };
  const collect = async () => [
    gauge(
      'gatehouse_build_info',
      'The version and the commit of Gatehouse, the version of Node, and the store.',
      [{ labels, value: 1 }],
    ),
    ...monitoring.metrics(),
    ...(metrics?.metrics() ?? []),
    ...streams.flatMap((each) => each.metrics()),
    ...(await Promise.all([store.metrics(), dueWork.metrics()])).flat(),
  ];
  return { monitoring: { metrics, tracing, slowRequestMilliseconds }, collect };
}
