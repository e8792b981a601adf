import type { Overview } from '@gatehouse/contract';
import { endsSoonDays } from '@gatehouse/contract/limits';
import { millisecondsPerDay, timestampAfter } from '../../base/clock.ts';
import { endOfMonth } from '../../base/days.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { countAccessGroups } from '../access-groups/access-groups.ts';
import { findAccessRules } from '../access-rules/access-rules.ts';
import { findWithheldEmails } from '../emails/email-budgets.ts';
import { countEmails } from '../emails/emails.ts';
import { findMemberCounts } from '../events/stored-counts.ts';
import { hasLoggedInMember } from '../members/member-counts.ts';
import { countMembershipEnds } from '../memberships/memberships.ts';
import { isThisMachine } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import { findActivity, memberCounts, numbersOfDays } from './activity.ts';

/** What is in an overview only with another permission. */
type Permitted = 'failingWebhooks' | 'pendingJoinRequests' | 'failedEmails' | 'waitingSources';

/** How many days an overview covers, and in which time zone. */
export interface OverviewDays {
  readonly days: number;
  readonly timeZone: string;
}

/** The overview of a site, without what needs another permission. @throws {ApiError} `invalid_request` */
export async function findOverview(
  view: SiteView,
  covered: OverviewDays,
  sendsEmail: boolean,
): Promise<Omit<Overview, Permitted>> {
  const [site, members, activity, accessGroups, { rules }, login, needs] = await Promise.all([
    findSite(view),
    findMemberCounts(view),
    findActivity(view, covered),
    countAccessGroups(view),
    findAccessRules(view),
    hasLoggedInMember(view),
    findNeeds(view, covered),
  ]);
  return {
    members: memberCounts(members),
    ...numbersOfDays(members, activity),
    accessGroups,
    ...needs,
    setUp: {
      domain: site.domain !== null && !isThisMachine(site.domain),
      email: sendsEmail,
      members: members.members > 0,
      accessGroups: accessGroups > 0,
      accessRules: rules.length > 0,
      login,
    },
  };
}

async function findNeeds(view: SiteView, { timeZone }: OverviewDays) {
  const ends = [timestampAfter(view.now, endsSoonDays * millisecondsPerDay), endOfMonth(timeZone, view.now)];
  const [emailsWaiting, emailsFailed, emailsWithheld, [soon, thisMonth]] = await Promise.all([
    countEmails(view, 'waiting'),
    countEmails(view, 'failed'),
    findWithheldEmails(view),
    countMembershipEnds(view, ends),
  ]);
  const endingMemberships = { soon: soon!, thisMonth: thisMonth! };
  return { emailsWaiting, emailsFailed, emailsWithheld, endingMemberships };
}
