import type { Labels, Metric, MetricValue } from './metric.ts';

/** Bounds for durations in seconds, from a gate check to the time limit of a statement. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The values observed for one combination of labels. An observation is a few comparisons and two additions. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** The number of values in each bucket, not cumulative; the last one is above every bound. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += value;
  }

  /** Observes a duration that was measured in milliseconds, as seconds. */
  observeMilliseconds(milliseconds: number): void {
    this.observe(milliseconds / 1_000);
  }

  /** The values of the text format of Prometheus, with cumulative buckets. */
  values(name: string, labels: Labels): MetricValue[] {
    let count = 0;
    const buckets = this.#counts.map((each, index) => {
      count += each;
      const le = this.#bounds[index] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

/** Distributions of values by labels, such as durations. See `Counter` for the reason of its own implementation. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #distributions = new Map<string, { readonly labels: Labels; readonly of: Distribution }>();

  constructor(name: string, help: string, bounds: readonly number[] = durationBounds) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  /** The distribution for these labels, which starts empty. */
  of(labels: Labels): Distribution {
    const key = Object.values(labels).join('\n');
    const known = this.#distributions.get(key);
    if (known) return known.of;
    const distribution = new Distribution(this.#bounds);
    this.#distributions.set(key, { labels, of: distribution });
    return distribution;
  }

  metric(): Metric {
    const values = [...this.#distributions.values()].flatMap(({ labels, of }) =>
      of.values(this.#name, labels),
    );
    return { name: this.#name, help: this.#help, type: 'histogram', aggregator: 'sum', values };
  }
}
