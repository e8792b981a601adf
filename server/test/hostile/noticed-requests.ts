import { setTimeout as sleep } from 'node:timers/promises';

/** What no one may notice: in a request, and in the memory of the process. */
const maxMilliseconds = 200;
const maxGrowthMebibytes = 300;
const mebibyte = 1024 * 1024;
const pauseMilliseconds = 20;

export interface MeasuredService {
  readonly others: Readonly<Record<string, () => Promise<unknown>>>;
  residentBytes(): number;
}

export interface Measure {
  /** Of all requests, whatever the machine does meanwhile. */
  readonly percentile95: number;
  readonly slowest: string;
  /** In milliseconds. */
  readonly maxWait: number;
  /** How much longer than the requests to the idle service at the same time. */
  readonly longerThanIdle: number;
  readonly growthMebibytes: number;
}

interface Sample {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Sends requests to a service during some work, and measures how long they take and how much memory the service gets.
 * The same requests are sent to another one that has no work, at the same time: what else runs on the machine, such as
 * other tests, makes both of them slow.
 */
export async function measureMeanwhile(
  service: MeasuredService,
  idle: MeasuredService,
  work: () => Promise<void>,
): Promise<Measure> {
  const before = service.residentBytes();
  let isEnded = false;
  let maxBytes = before;
  const repeat = async (samples: Sample[], name: string, send: () => Promise<unknown>) => {
    while (!isEnded) {
      const start = performance.now();
      await send();
      samples.push({ name, start, end: performance.now() });
      maxBytes = Math.max(maxBytes, service.residentBytes());
      await sleep(pauseMilliseconds);
    }
  };
  const working = work().finally(() => {
    isEnded = true;
  });
  const samplesOf = async ({ others }: MeasuredService) => {
    const samples: Sample[] = [];
    await Promise.all(Object.entries(others).map((each) => repeat(samples, ...each)));
    return samples;
  };
  const [samples, ofIdle] = await Promise.all([samplesOf(service), samplesOf(idle), working]);
  return { ...compare(samples, ofIdle), growthMebibytes: Math.round((maxBytes - before) / mebibyte) };
}

function compare(samples: readonly Sample[], ofIdle: readonly Sample[]): Omit<Measure, 'growthMebibytes'> {
  const byDuration = samples.toSorted((one, other) => durationOf(one) - durationOf(other));
  const last = byDuration.at(-1)!;
  const excesses = samples.map(({ name, start, end }) => {
    const sameTime = ofIdle.filter((each) => each.start < end && each.end > start);
    return durationOf({ name, start, end }) - Math.max(0, ...sameTime.map(durationOf));
  });
  return {
    percentile95: Math.round(durationOf(byDuration[Math.floor(byDuration.length * 0.95)]!)),
    slowest: last.name,
    maxWait: Math.round(durationOf(last)),
    longerThanIdle: Math.round(Math.max(0, ...excesses)),
  };
}

function durationOf({ start, end }: Sample): number {
  return end - start;
}

export function isUnnoticed({ percentile95, longerThanIdle, growthMebibytes }: Measure): boolean {
  return Math.max(percentile95, longerThanIdle) < maxMilliseconds && growthMebibytes < maxGrowthMebibytes;
}
