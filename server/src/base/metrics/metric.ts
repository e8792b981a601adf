/** Their values come from bounded enumerations: never a site, a person, a path or a key. */
export type Labels = Readonly<Record<string, string | number>>;

export interface MetricValue {
  readonly labels: Labels;
  readonly value: number;
  /** Names a part of a histogram. */
  readonly metricName?: string;
}

/** A metric as plain data, in the form of prom-client. A thread can send it to another one. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum';
  readonly values: readonly MetricValue[];
}

/** A value that is read when metrics are collected. */
export function gauge(name: string, help: string, value: number | readonly MetricValue[]): Metric {
  const values = typeof value === 'number' ? [{ labels: {}, value }] : value;
  return { name, help, type: 'gauge', aggregator: 'sum', values };
}

/** A number that only grows, and that its owner counts already. */
export function total(name: string, help: string, value: number): Metric {
  return { name, help, type: 'counter', aggregator: 'sum', values: [{ labels: {}, value }] };
}
