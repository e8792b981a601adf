import type { Metric } from '../../base/metrics/metric.ts';
import { addCounts } from '../../base/metrics/sum.ts';
import type { Cancel, Timers } from '../../base/timers.ts';
import {
  type CallOptions,
  type Input,
  type Output,
  ThreadClient,
  type ThreadOptions,
} from './thread-client.ts';

/** An installation that does not need the thread should not pay for its memory. */
const maxIdleMilliseconds = 60_000;

interface Current<Calls> {
  readonly client: ThreadClient<Calls>;
  users: number;
}

/**
 * A thread that starts with the first call, and ends when there was none for a minute. If it crashes, its calls fail and
 * the next one starts another thread.
 */
export class ThreadOnDemand<Calls> {
  readonly #options: ThreadOptions;
  readonly #timers: Timers;
  #current: Current<Calls> | undefined;
  /** The counts of threads that have ended. */
  #ended: readonly Metric[] = [];
  #cancelEnd: Cancel | undefined;

  constructor(options: ThreadOptions, timers: Timers) {
    this.#options = options;
    this.#timers = timers;
  }

  async call<Name extends string & keyof Calls>(
    name: Name,
    input: Input<Calls[Name]>,
    options?: CallOptions,
  ): Promise<Output<Calls[Name]>> {
    const { client, release } = this.use();
    return client.call(name, input, options).finally(release);
  }

  /** For calls that belong together: the thread does not end before it is released. */
  use(): { readonly client: ThreadClient<Calls>; release(): void } {
    this.#cancelEnd?.();
    if (!this.#current?.client.isAlive) {
      this.#current = { client: new ThreadClient(this.#options), users: 0 };
    }
    const used = this.#current;
    used.users += 1;
    const release = () => {
      used.users -= 1;
      if (used === this.#current && used.users === 0) this.#endLater();
    };
    return { client: used.client, release };
  }

  /** What the thread has done, and those before it. */
  async metrics(): Promise<readonly Metric[]> {
    const client = this.#current?.client;
    return [...this.#ended, ...(client?.isAlive ? await client.metrics() : [])];
  }

  /** Ends the thread. Its calls are aborted. */
  async close(): Promise<void> {
    this.#cancelEnd?.();
    await this.#current?.client.abort(this.#timers);
  }

  #endLater(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#timers.after(maxIdleMilliseconds, () => {
      const client = this.#current?.client;
      this.#current = undefined;
      if (client) void this.#end(client);
    });
  }

  async #end(client: ThreadClient<Calls>): Promise<void> {
    const [metrics] = await Promise.all([client.metrics(), client.abort(this.#timers)]);
    this.#ended = addCounts(this.#ended, metrics);
  }
}
