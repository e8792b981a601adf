import { Type } from 'typebox';
import { AccessRule } from '../../access-rules/access-rules.ts';
import { emailBudgetNames, emailBudgetText } from '../../emails/emails.ts';
import {
  count,
  dateTime,
  exampleIds,
  integer,
  nullable,
  openEnumeration,
  text,
  uuid,
} from '../../shared/schemas.ts';
import { Site } from '../../sites/sites.ts';
import { changes, data } from './shared.ts';

const accessRulesUpdated = data('AccessRulesUpdatedData', {
  changes: Type.Array(
    Type.Object(
      {
        path: text('The path of the rule.', '/courses/rowing'),
        from: ruleOrNothing('The rule before the change; null if there was none.'),
        to: ruleOrNothing('The rule after the change; null if there is none.'),
      },
      { title: 'AccessRuleChange' },
    ),
    { description: 'The rules that were added, changed or removed.' },
  ),
});
const emailBudgetExhausted = data('EmailBudgetExhaustedData', {
  budget: openEnumeration(emailBudgetNames, emailBudgetText, 'mailbox'),
  limit: integer('The maximum number of emails in an hour.', 20, { minimum: 1 }),
  memberId: nullable(
    uuid(
      'The member whose email was not sent; null if the recipient is not a member. The email address of a recipient who is ' +
        'not a member is never included.',
      exampleIds.member,
    ),
  ),
  resetsAt: dateTime('When emails are sent again, at the end of the hour.', '2026-01-31T10:00:00.000Z'),
});
const siteCreated = data('SiteCreatedData', {
  site: Type.Object(
    {
      id: Site.properties.id,
      slug: Site.properties.slug,
      title: Site.properties.title,
      domain: Site.properties.domain,
    },
    { description: 'The site as created.' },
  ),
});
const siteUpdated = data('SiteUpdatedData', {
  siteId: uuid('The site.', exampleIds.site),
  changes,
  sessionsEnded: Type.Optional(
    count(
      'Only if all members were logged out, on request or because the site had a domain, and `domain` or `scheme` changed: the ' +
        'number of sessions that ended. The open login links were closed too. These sessions have no ' +
        '`session.revoked`.',
      250,
    ),
  ),
});
const hostClaimRefused = data('HostClaimRefusedData', {
  domain: text('The host of the site, with the port if it is not the default port.', 'academy.example.com'),
  claimed: text(
    'The host that another site of the installation tried to take: the same name, possibly with or without `www.`, or ' +
      'on another port. Recorded at most once an hour for each name; the other site is not named.',
    'www.academy.example.com',
  ),
});

/** The data of events about the site itself, by event type. */
export const siteEvents = {
  'site.created': siteCreated,
  'site.updated': siteUpdated,
  'host-claim.refused': hostClaimRefused,
  'access-rules.updated': accessRulesUpdated,
  'email-budget.exhausted': emailBudgetExhausted,
};

function ruleOrNothing(description: string) {
  return Type.Union([AccessRule, Type.Null()], { description });
}
