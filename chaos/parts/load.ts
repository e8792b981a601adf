import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from './http.ts';

/** Counts responses by status, and how long they took. */
export class Tally {
  readonly #statuses = new Map<string, number>();
  readonly #times: number[] = [];
  readonly #others = new Map<string, string>();

  add(response: HttpResponse): void {
    const status = String(response.status ?? 'no response');
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#times.push(response.milliseconds);
    if (!this.#others.has(status)) this.#others.set(status, response.error ?? response.text.slice(0, 300));
  }

  get total(): number {
    return this.#times.length;
  }

  count(...statuses: number[]): number {
    return statuses.reduce((sum, status) => sum + (this.#statuses.get(String(status)) ?? 0), 0);
  }

  /** The number of responses, or missing ones, with another status than these. */
  countOthers(...statuses: number[]): number {
    return this.total - this.count(...statuses);
  }

  get slowestMilliseconds(): number {
    return Math.max(0, ...this.#times);
  }

  countSlowerThan(milliseconds: number): number {
    return this.#times.filter((time) => time > milliseconds).length;
  }

  /** `1,203 × 200, 4 × 503`, and an example of each unexpected status. */
  describe(expected: readonly number[] = []): string {
    const counts = [...this.#statuses]
      .sort()
      .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
    const examples = [...this.#others]
      .filter(([status]) => !expected.includes(Number(status)))
      .map(([status, example]) => `${status} is ${example}`);
    return [counts.join(', ') || 'none', ...(expected.length > 0 ? examples : [])].join('; ');
  }
}

/** Clients that each send one request after another until they are stopped. */
export class Load {
  readonly tally = new Tally();
  readonly #running: Promise<unknown>;
  #isStopped = false;

  /** @param pauseMilliseconds after each request of a client */
  constructor(clients: number, send: (client: number) => Promise<HttpResponse>, pauseMilliseconds = 0) {
    const run = async (client: number) => {
      while (!this.#isStopped) {
        this.tally.add(await send(client));
        if (pauseMilliseconds > 0) await sleep(pauseMilliseconds);
      }
    };
    this.#running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  }

  /** Resolves when the last requests have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}
