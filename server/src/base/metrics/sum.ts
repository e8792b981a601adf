import type { Metric, MetricValue } from './metric.ts';

/** Adds the counters and histograms of a thread that ends to those of earlier ones, so that no count ever falls. */
export function addCounts(earlier: readonly Metric[], metrics: readonly Metric[]): readonly Metric[] {
  const byName = new Map(earlier.map((metric) => [metric.name, metric]));
  for (const metric of metrics) {
    if (metric.type === 'gauge') continue;
    const known = byName.get(metric.name);
    byName.set(metric.name, known ? { ...metric, values: addValues(known.values, metric.values) } : metric);
  }
  return [...byName.values()];
}

function addValues(some: readonly MetricValue[], others: readonly MetricValue[]): MetricValue[] {
  const byLabels = new Map(some.map((value) => [keyOf(value), value]));
  for (const value of others) {
    const known = byLabels.get(keyOf(value));
    byLabels.set(keyOf(value), known ? { ...value, value: known.value + value.value } : value);
  }
  return [...byLabels.values()];
}

function keyOf({ metricName, labels }: MetricValue): string {
  return JSON.stringify([metricName, labels]);
}
