import type { Overview } from '@gatehouse/contract';
import { overviewDays } from '@gatehouse/contract/limits';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { countAccessGroups } from '../access-groups/access-groups.ts';
import { findAccessRules } from '../access-rules/access-rules.ts';
import { findWithheldEmails } from '../emails/email-budgets.ts';
import { countEmails } from '../emails/emails.ts';
import { findMemberCounts, sumCreated, sumLogins } from '../events/stored-counts.ts';
import { hasLoggedInMember } from '../members/member-counts.ts';
import { isThisMachine } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { type Day, lastDays } from './days.ts';

/** The overview of a site, without what needs another permission. @throws {ApiError} `invalid_request` */
export async function findOverview(
  view: SiteView,
  timeZone: string,
  sendsEmail: boolean,
): Promise<Omit<Overview, 'failingWebhooks' | 'pendingJoinRequests'>> {
  const days = lastDays(overviewDays, timeZone, view.now);
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
    findSite(view),
    findMemberCounts(view),
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
    days: counted,
  };
}

async function countDays(view: SiteData, days: readonly Day[]) {
  const [created, logins] = await Promise.all([sumCreated(view, days), sumLogins(view, days)]);
  return days.map(({ date }, index) => ({ date, created: created[index]!, logins: logins[index]! }));
}
