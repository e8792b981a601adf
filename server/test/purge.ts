import type { Clock } from '../src/base/clock.ts';
import { Purging } from '../src/jobs/purging.ts';
import type { Database } from '../src/storage/database.ts';
import { immediateTimers } from './movable-time.ts';

/** Purges everything that has expired by a clock. */
export async function purgeExpired(database: Database, clock: Clock, eventRetentionDays = 90): Promise<void> {
  const timers = immediateTimers;
  const purging = new Purging({ database, clock, timers, eventRetentionDays, intervalSeconds: 3_600 });
  for (const kind of await purging.findDue(clock().toISOString())) {
    while ((await purging.start(kind)).more);
  }
}
