import type { Labels, Metric } from './metric.ts';

/** The count for one combination of labels. */
export interface Count {
  value: number;
}

/**
 * Counts by labels. prom-client looks up the labels at every count; here they are looked up once, so that a count on a hot
 * path is one addition.
 */
export class Counter {
  readonly #name: string;
  readonly #help: string;
  readonly #counts = new Map<string, { readonly labels: Labels; readonly count: Count }>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  /** The count of these labels, which starts at 0. */
  of(labels: Labels): Count {
    const key = Object.values(labels).join('\n');
    const known = this.#counts.get(key);
    if (known) return known.count;
    const count = { value: 0 };
    this.#counts.set(key, { labels, count });
    return count;
  }

  metric(): Metric {
    const values = [...this.#counts.values()].map(({ labels, count }) => ({ labels, value: count.value }));
    return { name: this.#name, help: this.#help, type: 'counter', aggregator: 'sum', values };
  }
}
