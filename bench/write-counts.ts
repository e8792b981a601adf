import sql from 'sql-template-tag';
import type { Change } from '../server/src/domain/events/change.ts';
import { addActivity } from '../server/src/domain/events/site-count-store.ts';
import { countedSince } from '../server/src/domain/events/site-counts.ts';
import { compareCounts } from '../server/src/domain/overview/recount-store.ts';

/** Writes the numbers of a site whose members were added without events. */
export async function writeCounts(change: Change): Promise<void> {
  const { present, missing } = await compareCounts(change, countedSince(change.now));
  const { members, blocked, paid, verified } = present;
  await change.db.run(sql`
    UPDATE event_heads SET members = ${members}, blocked = ${blocked}, paid = ${paid}, verified = ${verified}
    WHERE site_id = ${change.siteId}`);
  await addActivity(change, missing);
}
