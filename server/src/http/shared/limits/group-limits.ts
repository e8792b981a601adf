import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

// Rate limits of processes that belong together: one of them counts for all. The library has such a limiter too, which
// sends a message for each request; these put all requests of one turn of the event loop into one.

export const windowSeconds = 60;
/** The limit shown in the headers when there is no limit. */
export const unlimited = 1_000_000_000;

/** A request to count against a bucket, in a window of so many seconds, and for how many points. */
export type CountRequest = readonly [bucket: string, seconds: number, points: number];
/** The points of the bucket so far, and the milliseconds until its window ends. */
export type Count = readonly [points: number, milliseconds: number];

/** Requests that are sent together, under a number of the sender. */
export interface CountBatch {
  readonly number: number;
  readonly requests: readonly CountRequest[];
}

/** The counts of a batch, in the order of its requests. */
export interface CountedBatch {
  readonly number: number;
  readonly counts: readonly Count[];
}

interface SentBatch {
  readonly waiting: readonly ((count: Count) => void)[];
  readonly late: NodeJS.Timeout;
}

/** Counts requests against buckets: a limiter of the library, or one that lets another process count. */
export interface Limiter {
  /** @throws {RateLimiterRes} when the bucket has more points than the limiter allows */
  consume(
    bucket: string,
    points?: number,
    options?: { readonly customDuration?: number },
  ): Promise<RateLimiterRes>;
}

/** A limiter that counts in this process. */
export function memoryLimiter(): RateLimiterMemory {
  return new RateLimiterMemory({ points: unlimited, duration: windowSeconds, keyPrefix: '' });
}

/** Counts the requests of a whole group, in the process that its members send them to. */
export class GroupCounter {
  readonly #limiter = memoryLimiter();

  async count({ number, requests }: CountBatch): Promise<CountedBatch> {
    const counts = requests.map(async ([bucket, seconds, points]): Promise<Count> => {
      const { consumedPoints, msBeforeNext } = await this.#limiter
        .consume(bucket, points, { customDuration: seconds })
        .catch((over: RateLimiterRes) => over);
      return [consumedPoints, msBeforeNext];
    });
    return { number, counts: await Promise.all(counts) };
  }
}

/** After this time without counts a process counts a request itself. */
const defaultWaitMilliseconds = 10_000;

/** The limiter of a process that belongs to the group. */
export class GroupLimiter implements Limiter {
  readonly #send: (batch: CountBatch) => void;
  readonly #waitMilliseconds: number;
  /** Counts while the process that counts for all does not answer. */
  readonly #own = new GroupCounter();
  /** For each batch that was sent, whom its counts are for. */
  readonly #sent = new Map<number, SentBatch>();
  #requests: CountRequest[] = [];
  #waiting: ((count: Count) => void)[] = [];
  #lastNumber = 0;

  /** @param send sends requests to the process that counts; its counts are passed to `receive` */
  constructor(send: (batch: CountBatch) => void, waitMilliseconds = defaultWaitMilliseconds) {
    this.#send = send;
    this.#waitMilliseconds = waitMilliseconds;
  }

  async consume(
    bucket: string,
    points = 1,
    { customDuration: seconds = windowSeconds }: { readonly customDuration?: number } = {},
  ): Promise<RateLimiterRes> {
    const [counted, milliseconds] = await new Promise<Count>((resolve) => {
      if (this.#requests.length === 0) setImmediate(() => this.#flush());
      this.#requests.push([bucket, seconds, points]);
      this.#waiting.push(resolve);
    });
    return new RateLimiterRes(Math.max(unlimited - counted, 0), milliseconds, counted, counted === points);
  }

  receive({ number, counts }: CountedBatch): void {
    const sent = this.#sent.get(number);
    if (!sent) return;
    this.#sent.delete(number);
    clearTimeout(sent.late);
    for (const [index, resolve] of sent.waiting.entries()) resolve(counts[index]!);
  }

  #flush(): void {
    const number = ++this.#lastNumber;
    const batch = { number, requests: this.#requests };
    const late = setTimeout(() => void this.#countAlone(batch), this.#waitMilliseconds).unref();
    this.#sent.set(number, { late, waiting: this.#waiting });
    this.#send(batch);
    this.#requests = [];
    this.#waiting = [];
  }

  async #countAlone(batch: CountBatch): Promise<void> {
    this.receive(await this.#own.count(batch));
  }
}
