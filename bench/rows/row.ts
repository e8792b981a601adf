import type { Dataset } from '../data.ts';
import type { Comparison, Slices } from '../load/compare.ts';
import type { Figures } from '../load/load.ts';

/** A row of the results table. */
export interface Line {
  readonly work: string;
  /** The reference: the floor, or the same work on less data. */
  readonly reference: string;
  readonly gatehouse: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

/** Passed to each benchmark. */
export interface Bench {
  /** A folder that is deleted after the run. */
  readonly folder: string;
  /** True for a short run with few rounds and rough results. */
  readonly quick: boolean;
  /** A read-only SQLite database. Created at the first call. */
  dataset(members: number): Promise<Dataset>;
  /** A copy that one benchmark may change. */
  copyOf(dataset: Dataset): Dataset;
  postgresDataset(members: number): Promise<Dataset>;
  /** A new, empty PostgreSQL database. Returns its URL. */
  postgresDatabase(): Promise<string>;
}

export type Row = (bench: Bench) => Promise<Line[]>;

export const members = 100_000;

/** Throughput for the same CPU time, as a share of the reference. */
export function shareOf(reference: Figures, figures: Figures): number {
  return reference.cpuMicroseconds / figures.cpuMicroseconds;
}

/** How the rows that compare two loads run them. */
export function slicesOf({ quick }: Bench): Slices {
  return quick ? { slices: 5, milliseconds: 200 } : { slices: 100, milliseconds: 100 };
}

/** The share of a comparison with its spread, and the share by throughput. */
export function share({ share, spread, figures: [reference, own] }: Comparison): string {
  const byThroughput = round(own.perSecond / reference.perSecond);
  return `${share.toFixed(3)} ± ${spread.toFixed(3)} (${byThroughput} by throughput)`;
}

export function describe({ perSecond, p50Milliseconds, p99Milliseconds, cpuMicroseconds }: Figures): string {
  return `${round(cpuMicroseconds)} µs, ${round(perSecond)}/s, p50 ${round(p50Milliseconds)} ms, p99 ${round(p99Milliseconds)} ms`;
}

/** Rounds a number to a useful number of digits. */
export function round(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
