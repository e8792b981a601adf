import type { Dataset } from '../data.ts';
import type { Figures } from '../load.ts';

/** A line of the table. */
export interface Line {
  readonly work: string;
  /** What it is measured against: the floor, or the same work on less. */
  readonly reference: string;
  readonly gatehouse: string;
  readonly measured: string;
  readonly goal: string;
  readonly holds: boolean;
}

/** What a row is given. */
export interface Bench {
  /** A folder that is removed after the run. */
  readonly folder: string;
  /** True for a short look with few rounds; its figures are rough. */
  readonly quick: boolean;
  /** A database of SQLite that nobody changes. Made at the first call. */
  dataset(members: number): Promise<Dataset>;
  /** A copy for one row to change. */
  copyOf(dataset: Dataset): Dataset;
  postgresDataset(members: number): Promise<Dataset>;
}

export type Row = (bench: Bench) => Promise<Line[]>;

export const members = 100_000;

/** Throughput for the same CPU time: how much of the reference's is reached. */
export function shareOf(reference: Figures, figures: Figures): number {
  return reference.cpuMicroseconds / figures.cpuMicroseconds;
}

export function describe({ perSecond, p50Milliseconds, p99Milliseconds, cpuMicroseconds }: Figures): string {
  return `${round(cpuMicroseconds)} µs, ${round(perSecond)}/s, p50 ${round(p50Milliseconds)} ms, p99 ${round(p99Milliseconds)} ms`;
}

/** A number with as many digits as a reader can use. */
export function round(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
