import type { Overview } from '@gatehouse/contract';
import { overviewDays } from '@gatehouse/contract/limits';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { countAccessGroups } from '../access-groups/access-groups.ts';
import { findAccessRules } from '../access-rules/access-rules.ts';
import { findWithheldEmails } from '../emails/email-budgets.ts';
import { countEmails } from '../emails/emails.ts';
import { type Activity, countedSince, type MemberCounts } from '../events/site-counts.ts';
import { findMemberCounts, sumCreated, sumLogins } from '../events/stored-counts.ts';
import { hasLoggedInMember } from '../members/member-counts.ts';
import { isThisMachine } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { type Day, lastDays } from './days.ts';
import { compareCounts } from './recount-store.ts';

/** The overview of a site, without what needs another permission. @throws {ApiError} `invalid_request` */
export async function findOverview(
  view: SiteView,
  timeZone: string,
  sendsEmail: boolean,
): Promise<Omit<Overview, 'failingWebhooks'>> {
  const days = lastDays(overviewDays, timeZone, view.now);
  const [
    site,
    { members, missing },
    accessGroups,
    emailsWaiting,
    emailsFailed,
    emailsWithheld,
    { rules },
    login,
    counted,
  ] = await Promise.all([
    findSite(view),
    findCounts(view),
    countAccessGroups(view),
    countEmails(view, 'waiting'),
    countEmails(view, 'failed'),
    findWithheldEmails(view),
    findAccessRules(view),
    hasLoggedInMember(view),
    countDays(view, days),
  ]);
  return {
    members: {
      total: members.members,
      active: members.members - members.blocked,
      blocked: members.blocked,
      paid: members.paid,
      verified: members.verified,
    },
    accessGroups,
    emailsWaiting,
    emailsFailed,
    emailsWithheld,
    setUp: {
      domain: site.domain !== null && !isThisMachine(site.domain),
      email: sendsEmail,
      members: members.members > 0,
      accessGroups: accessGroups > 0,
      accessRules: rules.length > 0,
      login,
    },
    days: counted.map((day) => withMissing(day, missing)),
  };
}

/** Counts all members of a site whose numbers lack the events of an earlier version. */
async function findCounts(view: SiteView): Promise<{ members: MemberCounts; missing: readonly Activity[] }> {
  const members = await findMemberCounts(view);
  if (members) return { members, missing: [] };
  const { present, missing } = await compareCounts(view, countedSince(view.now));
  return { members: present, missing };
}

async function countDays(view: SiteData, days: readonly Day[]) {
  const [created, logins] = await Promise.all([sumCreated(view, days), sumLogins(view, days)]);
  return days.map((day, index) => ({ day, created: created[index]!, logins: logins[index]! }));
}

function withMissing(
  { day: { date, start, end }, created, logins }: { day: Day; created: number; logins: number },
  missing: readonly Activity[],
) {
  const ofDay = missing.filter(({ startsAt }) => startsAt >= start && startsAt < end);
  return {
    date,
    created: ofDay.reduce((sum, activity) => sum + activity.created, created),
    logins: ofDay.reduce((sum, activity) => sum + activity.logins, logins),
  };
}
