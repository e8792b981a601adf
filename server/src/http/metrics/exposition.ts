import type { Registry } from 'prom-client';
import type { Metric } from '../../base/metrics/metric.ts';

/** Metrics of the process that break the naming rules of Prometheus, or tell nothing about Gatehouse. */
const omitted = ['active_handles', 'active_requests', 'active_resources'].flatMap((name) => [
  `nodejs_${name}`,
  `nodejs_${name}_total`,
]);
const eventLoopPrecisionMilliseconds = 20;

interface Written {
  /** The media type. */
  readonly type: string;
  readonly text: string;
}

/**
 * Writes metrics in the text format of Prometheus, with those of the process and of Node. Loads prom-client when it is read
 * for the first time.
 */
export class Exposition {
  readonly #collect: () => Promise<readonly Metric[]>;
  #process: Promise<Registry> | undefined;
  #running: Promise<Written> | undefined;

  constructor(collect: () => Promise<readonly Metric[]>) {
    this.#collect = collect;
  }

  /** Readers at the same time get the same text. */
  read(): Promise<Written> {
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #write(): Promise<Written> {
    const { AggregatorRegistry } = await import('prom-client');
    this.#process ??= observeProcess();
    const [own, ofProcess] = await Promise.all([
      this.#collect(),
      this.#process.then((registry) => registry.getMetricsAsJSON()),
    ]);
    // Adds the values of the threads to each other.
    const registry = AggregatorRegistry.aggregate([[...own], ofProcess]);
    return { type: registry.contentType, text: await registry.metrics() };
  }
}

async function observeProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopPrecisionMilliseconds });
  for (const name of omitted) registry.removeSingleMetric(name);
  return registry;
}
