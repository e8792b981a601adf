import { type Static, Type } from 'typebox';
import { emailBudgetNames, emailBudgetText } from '../emails/emails.ts';
import { maxFailingWebhooks, overviewDays } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  defaulted,
  exampleIds,
  flag,
  nullable,
  openEnumeration,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';

const failingStatuses = ['failing', 'disabled'] as const;
const failingReasons = ['gone', 'failing'] as const;
const step = (description: string) => flag(description, true);

export const Overview = shape('Overview', 'An overview of a site.', {
  members: shape('MemberCounts', 'Member counts of the site.', {
    total: count('All members.', 1_250),
    active: count('Members who are not blocked.', 1_243),
    blocked: count('Blocked members.', 7),
    paid: count('Paying members.', 420),
    verified: count('Members whose email address is verified.', 1_101),
  }),
  accessGroups: count('Access groups, scope groups included.', 12),
  emailsWaiting: count('Emails in the queue.', 0),
  emailsFailed: count('Emails of the last 30 days that could not be sent.', 0),
  emailsWithheld: Type.Array(
    Type.Object(
      {
        budget: openEnumeration(emailBudgetNames, emailBudgetText, 'mailbox'),
        count: count('Emails that were not sent.', 12),
        lastAt: dateTime('When the last email was withheld.', '2026-01-31T09:41:07.000Z'),
      },
      { title: 'WithheldEmails' },
    ),
    {
      description:
        'Emails of the last 24 hours that were not sent because an hourly limit had been reached, grouped by limit; ' +
        'empty if there were none.',
    },
  ),
  pendingJoinRequests: nullable(
    count('Requests to join that wait for a decision; null without the permission `join-requests:read`.', 3),
  ),
  failingWebhooks: nullable(
    Type.Array(
      Type.Object(
        {
          id: uuid('The webhook.', exampleIds.webhook),
          host: text('The host of its URL.', 'shop.example.org'),
          description: text('What it is for; may be empty.', 'Shop'),
          status: openEnumeration(failingStatuses, 'Its status.', 'failing'),
          disabledReason: nullable(
            openEnumeration(failingReasons, 'Why it was disabled; null if it is failing.', 'gone'),
          ),
          failingSince: nullable(dateTime('Since when every attempt has failed.')),
        },
        { title: 'FailingWebhook' },
      ),
      {
        description:
          'The webhooks whose receiver fails, and those that were disabled because it failed for too long or is gone, ' +
          `newest first, at most ${maxFailingWebhooks}. Null without the permission \`webhooks:read\`.`,
      },
    ),
  ),
  setUp: shape('SetUp', 'The completed steps of setting up the site.', {
    domain: step('The site has a domain that is not only a name of the local machine, such as `localhost`.'),
    email: step('The service has a mail server, so that login links are delivered.'),
    members: step('The site has members.'),
    accessGroups: step('The site has access groups.'),
    accessRules: step('The site has access rules.'),
    login: step('A member has logged in.'),
  }),
  days: Type.Array(
    Type.Object(
      {
        date: text('The day, in the requested time zone.', '2026-01-31'),
        created: count('Members who were created on that day and still exist.', 18),
        logins: count('Logins on that day.', 64),
      },
      { title: 'OverviewDay' },
    ),
    { description: `The last ${overviewDays} days, oldest first; the last one is today.` },
  ),
});
export type Overview = Static<typeof Overview>;

const overview = new Resource({
  tag: 'Site',
  name: 'overview',
  read: 'site:read',
  write: 'site:write',
});

export const overviewOperations = named({
  getOverview: overview.get({
    path: '/overview',
    summary: 'Get the overview',
    description:
      'An overview of the site: member counts, the email queue, the set-up steps, and the activity of the last ' +
      `${overviewDays} days. All numbers are current at the time of the request.`,
    query: {
      timeZone: defaulted(
        text('The time zone that defines the days, as a name of the IANA database.', 'Europe/Paris', {
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z0-9_+:/-]+$',
        }),
        'UTC',
      ),
    },
    returns: Overview,
    headers: [],
  }),
});
