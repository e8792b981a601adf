import type { ServerProcess } from '../process.ts';
import { type Figures, type LoadRequest, median, type Subject, targetOf } from './load.ts';
import { LoadConnection } from './load-connection.ts';

export interface Slices {
  /** The number of slices of each load. */
  readonly slices: number;
  readonly milliseconds: number;
}

export interface Comparison {
  /** Of the reference and of the other load, over all slices. */
  readonly figures: readonly [Figures, Figures];
  /**
   * The throughput for the same CPU time as a share of the reference: the median over all slices, each compared with the
   * slices of the reference before and after it.
   */
  readonly share: number;
  /** Half of the distance between the quartiles of these shares, divided by the root of their number. */
  readonly spread: number;
}

/**
 * Runs two loads alternately in short slices. Other work on the machine changes its speed from second to second by more
 * than two loads differ; within a pair of short slices it is nearly the same for both.
 */
export async function compare(
  reference: Subject,
  other: Subject,
  { slices, milliseconds }: Slices,
): Promise<Comparison> {
  const senders = [await Sender.open(reference), await Sender.open(other)] as const;
  try {
    for (const sender of senders) await sender.run(2_000); // warms up
    const [before, measured] = [[await senders[0].run(milliseconds)], [] as Slice[]];
    for (let slice = 0; slice < slices; slice += 1) {
      measured.push(await senders[1].run(milliseconds));
      before.push(await senders[0].run(milliseconds));
    }
    const shares = measured.map(
      (slice, index) => (costOf(before[index]!) + costOf(before[index + 1]!)) / 2 / costOf(slice),
    );
    return { figures: [figuresOf(before), figuresOf(measured)], ...summary(shares) };
  } finally {
    for (const sender of senders) sender.close();
  }
}

/** The gate denies access with an error status. */
function isDenial(request: string, status: number): boolean {
  return status === 401 && request.startsWith('GET /_gatehouse/');
}

const numberMark = 'NNNNNNNNN';
let lastNumber = 100_000_000;
function nextNumber(): string {
  lastNumber += 1;
  return String(lastNumber);
}

interface Slice {
  /** In milliseconds, one for each request. */
  readonly latencies: readonly number[];
  readonly milliseconds: number;
  readonly cpuSeconds: number;
}

class Sender {
  readonly #server: ServerProcess;
  readonly #requests: readonly string[];
  readonly #connections: readonly LoadConnection[];
  #next = 0;

  static async open({ server, load }: Subject): Promise<Sender> {
    const opened = Array.from({ length: load.connections }, () => LoadConnection.open(server.address));
    const requests = load.requests.map((request) => textOf(request, server));
    return new Sender(server, requests, await Promise.all(opened));
  }

  private constructor(
    server: ServerProcess,
    requests: readonly string[],
    connections: readonly LoadConnection[],
  ) {
    this.#server = server;
    this.#requests = requests;
    this.#connections = connections;
  }

  /** @throws when a response is an error */
  async run(milliseconds: number): Promise<Slice> {
    const latencies: number[] = [];
    const cpuBefore = this.#server.cpuSeconds();
    const start = performance.now();
    const loop = async (connection: LoadConnection) => {
      for (let sentAt = start; sentAt - start < milliseconds; ) {
        this.#next = (this.#next + 1) % this.#requests.length;
        const request = this.#requests[this.#next]!.replace(numberMark, nextNumber);
        const status = await connection.send(request);
        if (status >= 400 && !isDenial(request, status))
          throw new Error(`The status ${status} answered the request\n${request}`);
        const now = performance.now();
        latencies.push(now - sentAt);
        sentAt = now;
      }
    };
    await Promise.all(this.#connections.map(loop));
    return {
      latencies,
      milliseconds: performance.now() - start,
      cpuSeconds: this.#server.cpuSeconds() - cpuBefore,
    };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

function textOf({ method, path, body, headers }: LoadRequest, server: ServerProcess): string {
  const all = {
    Host: new URL(server.address).host,
    Authorization: `Bearer ${server.key}`,
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${targetOf(path)} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

/** CPU seconds for a request. */
function costOf({ cpuSeconds, latencies }: Slice): number {
  return cpuSeconds / latencies.length;
}

function figuresOf(slices: readonly Slice[]): Figures {
  const latencies = slices.flatMap((slice) => slice.latencies).sort((one, other) => one - other);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
  const milliseconds = slices.reduce((sum, slice) => sum + slice.milliseconds, 0);
  return {
    perSecond: latencies.length / (milliseconds / 1_000),
    p50Milliseconds: at(0.5),
    p99Milliseconds: at(0.99),
    cpuMicroseconds: median(slices.map(costOf)) * 1e6,
  };
}

function summary(shares: readonly number[]): { share: number; spread: number } {
  const sorted = shares.toSorted((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  const between = sorted.at(-1 - quarter)! - sorted[quarter]!;
  return { share: median(shares), spread: between / 2 / Math.sqrt(sorted.length) };
}
