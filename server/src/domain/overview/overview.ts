import type { Overview } from '@gatehouse/contract';
import { overviewDays } from '@gatehouse/contract/limits';
import type { Timestamp } from '../../base/clock.ts';
import type { Queries } from '../../storage/database.ts';
import { countAccessGroups } from '../access-groups/access-groups.ts';
import { findAccessRules } from '../access-rules/access-rules.ts';
import { findWithheldEmails } from '../emails/email-budgets.ts';
import { countEmails } from '../emails/emails.ts';
import { countLogins } from '../events/events.ts';
import { countCreatedMembers, hasLoggedInMember, type MemberCounts } from '../members/member-counts.ts';
import { isThisMachine } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { type Day, lastDays } from './days.ts';

/** The overview of a site, without what needs another permission. @throws {ApiError} `invalid_request` */
export async function findOverview(
  db: Queries,
  siteId: string,
  timeZone: string,
  sendsEmail: boolean,
  now: Timestamp,
  memberCounts: MemberCounts,
): Promise<Omit<Overview, 'failingWebhooks'>> {
  const days = lastDays(overviewDays, timeZone, now);
  const [
    site,
    members,
    accessGroups,
    emailsWaiting,
    emailsFailed,
    emailsWithheld,
    { rules },
    login,
    counted,
  ] = await Promise.all([
    findSite(db, siteId),
    memberCounts.of(db, siteId),
    countAccessGroups(db, siteId),
    countEmails(db, siteId, 'waiting'),
    countEmails(db, siteId, 'failed'),
    findWithheldEmails(db, siteId, now),
    findAccessRules(db, siteId),
    hasLoggedInMember(db, siteId),
    countDays(db, siteId, days),
  ]);
  return {
    members,
    accessGroups,
    emailsWaiting,
    emailsFailed,
    emailsWithheld,
    setUp: {
      domain: site.domain !== null && !isThisMachine(site.domain),
      email: sendsEmail,
      members: members.total > 0,
      accessGroups: accessGroups > 0,
      accessRules: rules.length > 0,
      login,
    },
    days: counted,
  };
}

async function countDays(db: Queries, siteId: string, days: readonly Day[]) {
  const [created, logins] = await Promise.all([
    countCreatedMembers(db, siteId, days),
    countLogins(db, siteId, days),
  ]);
  return days.map(({ date }, index) => ({ date, created: created[index]!, logins: logins[index]! }));
}
