import type { Cancel, Timers } from '../../../base/timers.ts';
import { runLeaseMilliseconds } from '../../../domain/sources/runs/run-lease.ts';

const renewalMilliseconds = runLeaseMilliseconds / 3;

/**
 * Renews the lease of a run regularly, because reading a workspace may take longer. A transaction of the run renews it by
 * itself: meanwhile there are no other renewals.
 */
export class LeaseRenewal {
  readonly #timers: Timers;
  readonly #renew: () => Promise<void>;
  #cancel: Cancel;
  #last = Promise.resolve();
  #transactions = 0;

  /** @param renew must not throw */
  constructor(timers: Timers, renew: () => Promise<void>) {
    this.#timers = timers;
    this.#renew = renew;
    this.#cancel = this.#renewLater();
  }

  /** Does what renews the lease by itself. */
  async pauseDuring<T>(transaction: () => Promise<T>): Promise<T> {
    this.#transactions += 1;
    try {
      return await transaction();
    } finally {
      this.#transactions -= 1;
    }
  }

  /** Renews the lease no more. */
  async close(): Promise<void> {
    this.#cancel();
    await this.#last;
  }

  #renewLater(): Cancel {
    return this.#timers.after(renewalMilliseconds, () => {
      this.#cancel = this.#renewLater();
      if (this.#transactions === 0) this.#last = this.#renew();
    });
  }
}
