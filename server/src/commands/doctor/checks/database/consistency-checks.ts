import sql from 'sql-template-tag';
import { findWrongNumbers } from '../../../../domain/overview/recount.ts';
import { listSites } from '../../../../domain/sites/sites.ts';
import type { Queries } from '../../../../storage/database.ts';
import type { SiteData } from '../../../../storage/site-view.ts';
import { type Check, fail, ok } from '../check.ts';

const maxShown = 3;
const clockToleranceSeconds = 60;
const releaseYear = 2026;

/** Checks that redundant data is consistent, and the clock against stored times. */
export async function checkConsistency(db: Queries): Promise<Check[]> {
  const sites = await listSites(db);
  const counters: string[] = [];
  const heads: string[] = [];
  let newest = '';
  for (const { id, slug } of sites) {
    const problems = [
      ...(await wrongCounters({ db, siteId: id })),
      ...(await lostMemberships({ db, siteId: id })),
      ...(await findWrongNumbers({ db, siteId: id, now: new Date().toISOString() })),
    ];
    counters.push(...problems.map((problem) => `${slug}: ${problem}`));
    heads.push(...(await wrongHead({ db, siteId: id })).map((problem) => `${slug}: ${problem}`));
    const latest = await newestEventTime({ db, siteId: id });
    if (latest > newest) newest = latest;
  }
  const advice = 'Restore an earlier backup, or report this with the version and what happened.';
  return [
    ok('sites', sites.length === 0 ? 'none yet' : String(sites.length)),
    counters.length === 0
      ? ok('counters', 'the member counts of all groups and sites are correct')
      : fail('counters', shown(counters), advice),
    heads.length === 0 ? ok('events', 'positions are consistent') : fail('events', shown(heads), advice),
    checkClock(newest),
  ];
}

/** In one statement, so that it sees a concurrent change completely or not at all. */
async function wrongCounters({ db, siteId }: SiteData): Promise<string[]> {
  const rows = await db.all<{ name: string; counted: number; present: number }>(sql`
    SELECT name, counted, present FROM (
      SELECT g.name, g.membership_count AS counted, (
        SELECT count(*) FROM memberships m WHERE m.site_id = ${siteId} AND m.group_id = g.id
      ) AS present
      FROM access_groups g WHERE g.site_id = ${siteId}
    ) groups_counted WHERE counted <> present ORDER BY name`);
  return rows.map(({ name, counted, present }) => `"${name}" counts ${counted} members and has ${present}`);
}

/** Memberships in no group, which no longer count, and which nothing would delete. */
async function lostMemberships({ db, siteId }: SiteData): Promise<string[]> {
  const row = await db.get<{ count: number }>(sql`
    SELECT count(*) AS count FROM memberships m
    WHERE m.site_id = ${siteId}
      AND NOT EXISTS (SELECT 1 FROM access_groups g WHERE g.site_id = ${siteId} AND g.id = m.group_id)
      AND NOT EXISTS (SELECT 1 FROM deleted_groups d WHERE d.site_id = ${siteId} AND d.id = m.group_id)`);
  return row!.count === 0 ? [] : [`memberships without a group: ${row!.count}`];
}

async function wrongHead({ db, siteId }: SiteData): Promise<string[]> {
  const row = (await db.get<{ head: number | null; last: number | null }>(sql`
    SELECT (SELECT position FROM event_heads WHERE site_id = ${siteId}) AS head,
           (SELECT max(position) FROM events WHERE site_id = ${siteId}) AS last`))!;
  if (row.head === null) return ['its row in event_heads is missing'];
  // Expired events are deleted oldest first, so the last one is missing only if it was lost.
  if (row.last !== null && row.last !== row.head) {
    return [`the head is at ${row.head}, the last event at ${row.last}`];
  }
  return [];
}

async function newestEventTime({ db, siteId }: SiteData): Promise<string> {
  const row = await db.get<{ newest: string | null }>(
    sql`SELECT max(occurred_at) AS newest FROM events WHERE site_id = ${siteId}`,
  );
  return row?.newest ?? '';
}

function checkClock(newestEvent: string): Check {
  const now = new Date();
  const advice = 'Set the clock and synchronize it with NTP.';
  if (now.getUTCFullYear() < releaseYear) return fail('clock', `it shows ${now.toISOString()}`, advice);
  const seconds = (Date.parse(newestEvent) - now.getTime()) / 1_000;
  return seconds > clockToleranceSeconds
    ? fail('clock', `it shows ${now.toISOString()}, but the newest event is from ${newestEvent}`, advice)
    : ok('clock', now.toISOString());
}

function shown(problems: readonly string[]): string {
  const more = problems.length - maxShown;
  return problems.slice(0, maxShown).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
