import { isIP } from 'node:net';
import type { Settings } from '../../../app/settings/settings.ts';
import { type Check, ok, warn } from './check.ts';

/** Who can read the metrics, if there are any. */
export function checkMetrics({ metricsHost, metricsPort, metricsToken }: Settings): Check[] {
  if (metricsPort === undefined) {
    return metricsToken === undefined ? [] : [ok('metrics', 'at /metrics of the service, with the token')];
  }
  const address = `${isIP(metricsHost) === 6 ? `[${metricsHost}]` : metricsHost}:${metricsPort}`;
  if (metricsToken !== undefined) return [ok('metrics', `at ${address}, with the token`)];
  const isOfThisMachine = metricsHost === 'localhost' || /^(?:127\.|::1$)/.test(metricsHost);
  if (isOfThisMachine) return [ok('metrics', `at ${address}, for programs on this machine`)];
  return [
    warn(
      'metrics',
      `everyone who reaches ${address} can read the metrics`,
      'Set GATEHOUSE_METRICS_TOKEN too, or make sure that only Prometheus reaches this port.',
    ),
  ];
}
