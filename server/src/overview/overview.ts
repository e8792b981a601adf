import { type Overview, overviewDays } from '@gatehouse/contract';
import { countAccessGroups } from '../access-groups/access-group-store.ts';
import type { Timestamp } from '../base/clock.ts';
import { findWithheldEmails } from '../email-budgets/email-budgets.ts';
import { countLogins } from '../events/event-store.ts';
import { findAccessRules } from '../gate/access-rules.ts';
import { countMails } from '../mail/mail-store.ts';
import { countCreatedMembers, countMembers, hasLoggedInMember } from '../members/member-count-store.ts';
import { isThisMachine } from '../sites/site.ts';
import { findSite } from '../sites/sites.ts';
import type { Queries } from '../storage/database.ts';
import { type Day, lastDays } from './days.ts';

/** A site at a glance. @throws Refusal `invalid_request` */
export async function findOverview(
  db: Queries,
  siteId: string,
  timeZone: string,
  sendsMail: boolean,
  now: Timestamp,
): Promise<Overview> {
  const days = lastDays(overviewDays, timeZone, now);
  const [site, members, accessGroups, mailsWaiting, mailsFailed, emailsWithheld, { rules }, login, counted] =
    await Promise.all([
      findSite(db, siteId),
      countMembers(db, siteId),
      countAccessGroups(db, siteId),
      countMails(db, siteId, 'waiting'),
      countMails(db, siteId, 'failed'),
      findWithheldEmails(db, siteId, now),
      findAccessRules(db, siteId),
      hasLoggedInMember(db, siteId),
      countDays(db, siteId, days),
    ]);
  return {
    members,
    accessGroups,
    mailsWaiting,
    mailsFailed,
    emailsWithheld,
    setUp: {
      domain: site.domain !== null && !isThisMachine(site.domain),
      mail: sendsMail,
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
