import sql from 'sql-template-tag';
import { type Clock, type Timestamp, timestampAfter } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Database } from '../storage/database.ts';

/** After this time a process that is gone loses its leases. Running processes renew theirs well before. */
export const leaseMilliseconds = 10_000;

/**
 * Decides which process does the leftover work of a job. A lease only avoids duplicate searches. Claims, not leases,
 * ensure that nothing is done twice.
 */
export class JobLeases {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder = newId();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Takes or renews the lease of a job. Returns undefined when this process holds it, or else the end of the other
   * process's lease.
   */
  async acquire(job: string): Promise<Timestamp | undefined> {
    const now = this.#clock().toISOString();
    const end = timestampAfter(now, leaseMilliseconds);
    // A lease that ends later than this was created with a wrong clock.
    const latest = timestampAfter(now, 2 * leaseMilliseconds);
    return this.#database.transaction(async (tx) => {
      const taken = await tx.run(sql`
        INSERT INTO job_leases (job, holder, expires_at) VALUES (${job}, ${this.#holder}, ${end})
        ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
        WHERE job_leases.holder = excluded.holder OR job_leases.expires_at <= ${now}
          OR job_leases.expires_at > ${latest}`);
      if (taken > 0) return undefined;
      const row = await tx.get<{ expires_at: Timestamp }>(
        sql`SELECT expires_at FROM job_leases WHERE job = ${job}`,
      );
      return row?.expires_at ?? now;
    });
  }

  async release(job: string): Promise<void> {
    await this.#database.transaction((tx) =>
      tx.run(sql`DELETE FROM job_leases WHERE job = ${job} AND holder = ${this.#holder}`),
    );
  }
}
