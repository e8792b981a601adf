import { type Static, Type } from 'typebox';
import { Email, emailBudgetNames, emailBudgetText } from '../emails/emails.ts';
import {
  defaultOverviewDays,
  endsSoonDays,
  failedEmailDays,
  maxFailedEmails,
  maxFailingWebhooks,
  maxWaitingSources,
  overviewDays,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  defaulted,
  exampleIds,
  flag,
  integerEnumeration,
  nullable,
  openEnumeration,
  shape,
  text,
  timeZoneOfDays,
  uuid,
} from '../shared/schemas.ts';
import { runErrorCodes } from '../sources/source-runs.ts';
import { Source } from '../sources/sources.ts';

const failingStatuses = ['failing', 'disabled'] as const;
const failingReasons = ['gone', 'failing'] as const;
const step = (description: string) => flag(description, true);

/** Why a source waits for a person. */
export const waitingReasons = [
  'confirmation_required',
  ...runErrorCodes.filter((code) => code !== 'stopped'),
] as const;

/** The counts of the members of a site. */
const memberCounts = {
  total: count('All members.', 1_250),
  active: count('Members who are not blocked.', 1_243),
  blocked: count('Blocked members.', 7),
  paid: count('Paying members.', 420),
  verified: count('Members whose email address is verified.', 1_101),
};

const { id, type, recipient, memberId, lastError, mailServerReply, createdAt } = Email.properties;

export const FailedEmail = shape('FailedEmail', 'An email that could not be sent.', {
  id,
  type,
  recipient,
  memberId,
  lastError,
  mailServerReply,
  createdAt,
});
export type FailedEmail = Static<typeof FailedEmail>;

/** What somebody should see to. */
const needs = {
  emailsWaiting: count('Emails in the queue.', 0),
  emailsFailed: count('Emails of the last 30 days that could not be sent.', 0),
  failedEmails: nullable(
    Type.Array(FailedEmail, {
      description:
        `The emails of the last ${failedEmailDays} days that could not be sent, newest first, at most ` +
        `${maxFailedEmails}; without those after which another email to the same recipient or member was sent, and ` +
        'without tests of the mail server. Null without the permission `emails:read`.',
    }),
  ),
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
  waitingSources: nullable(
    Type.Array(
      Type.Object(
        {
          id: Source.properties.id,
          name: Source.properties.name,
          type: Source.properties.type,
          reason: openEnumeration(
            waitingReasons,
            '`confirmation_required`: more people would be removed than is allowed without a confirmation. The others are ' +
              'the codes of the error with which the last synchronization failed.',
            'confirmation_required',
          ),
        },
        { title: 'WaitingSource' },
      ),
      {
        description:
          'The sources whose last synchronization needs a confirmation or failed, newest first, at most ' +
          `${maxWaitingSources}. Null without the permission \`sources:read\`.`,
      },
    ),
  ),
  endingMemberships: shape(
    'EndingMemberships',
    'Memberships that end in a short time, without those of blocked members.',
    {
      soon: count(`Those that end in the next ${endsSoonDays} days.`, 12),
      thisMonth: count('Those that end in the rest of the current month, in the requested time zone.', 31),
    },
  ),
};

export const Overview = shape('Overview', 'An overview of a site.', {
  members: shape('MemberCounts', 'Member counts of the site.', memberCounts),
  before: shape(
    'MemberCountsBefore',
    'The member counts at the beginning of the first day. Not exact while versions of the service before this one ' +
      'counted.',
    memberCounts,
  ),
  accessGroups: count('Access groups, scope groups included.', 12),
  ...needs,
  setUp: shape('SetUp', 'The completed steps of setting up the site.', {
    domain: step('The site has a domain that is not only a name of the local machine, such as `localhost`.'),
    email: step('The service has a mail server, so that login links are delivered.'),
    members: step('The site has members.'),
    accessGroups: step('The site has access groups.'),
    accessRules: step('The site has access rules.'),
    login: step('A member has logged in.'),
  }),
  loginsBefore: nullable(
    count(
      'Logins in the equally long time before the first day; null if that reaches back further than logins are counted.',
      1_310,
    ),
  ),
  days: Type.Array(
    Type.Object(
      {
        date: text('The day, in the requested time zone.', '2026-01-31'),
        created: count('Members who were created on that day and still exist.', 18),
        logins: count('Logins on that day.', 64),
        members: count(
          'How many members the site had at the end of that day; today, how many it has.',
          1_250,
        ),
      },
      { title: 'OverviewDay' },
    ),
    { description: 'The requested days, oldest first; the last one is today.' },
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
      'An overview of the site: member counts and how they have changed, what needs attention, the set-up steps, and ' +
      'the activity of the last days. All numbers are current at the time of the request.',
    query: {
      timeZone: defaulted(timeZoneOfDays, 'UTC'),
      days: defaulted(
        integerEnumeration(overviewDays, 'How many days it covers, today included.', defaultOverviewDays),
        defaultOverviewDays,
      ),
    },
    returns: Overview,
    headers: [],
  }),
});
