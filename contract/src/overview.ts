import Type, { type Static } from 'typebox';
import { emailBudgetNames, emailBudgetText } from './email-budgets.ts';
import type { Operation } from './operation.ts';
import { dateTime, defaulted, nothing, openEnumeration, single } from './schemas.ts';

/** Days that the overview tells of, today included. */
export const overviewDays = 30;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const step = (description: string) => Type.Boolean({ description, examples: [true] });

export const Overview = Type.Object(
  {
    members: Type.Object(
      {
        total: count('All members.', 1_250),
        active: count('Those who are not blocked.', 1_243),
        blocked: count('Those who are.', 7),
        paid: count('Paying customers.', 420),
        verified: count('Those whose address is verified.', 1_101),
      },
      { title: 'MemberCounts', description: 'The members of the site in numbers.' },
    ),
    accessGroups: count('Access groups, scope groups included.', 12),
    mailsWaiting: count('Mails that are still to be sent.', 0),
    mailsFailed: count('Mails of the last 30 days that could not be sent.', 0),
    emailsWithheld: Type.Array(
      Type.Object(
        {
          budget: openEnumeration(emailBudgetNames, { description: emailBudgetText, examples: ['mailbox'] }),
          count: count('Emails that were not sent.', 12),
          lastAt: dateTime('When the last of them was.', '2026-01-31T09:41:07.000Z'),
        },
        { title: 'WithheldEmails' },
      ),
      {
        description:
          'Emails of the last 24 hours that were not sent because a limit of an hour had been reached, for each limit; ' +
          'empty where there were none.',
      },
    ),
    setUp: Type.Object(
      {
        domain: step(
          'The site has a domain that is not only one of the machine itself, such as `localhost`.',
        ),
        mail: step('The service has a mail server, so that login links arrive.'),
        members: step('There are members.'),
        accessGroups: step('There are access groups.'),
        accessRules: step('There are access rules.'),
        login: step('A member has logged in.'),
      },
      { title: 'SetUp', description: 'What has been done of all that makes a site complete.' },
    ),
    days: Type.Array(
      Type.Object(
        {
          date: Type.String({
            description: 'The day, in the time zone asked for.',
            examples: ['2026-01-31'],
          }),
          created: count('Members who were created on that day and are there still.', 18),
          logins: count('Logins on that day.', 64),
        },
        { title: 'OverviewDay' },
      ),
      { description: `The last ${overviewDays} days, oldest first; the last one is today.` },
    ),
  },
  { title: 'Overview', description: 'A site at a glance.' },
);
export type Overview = Static<typeof Overview>;

export const getOverview = {
  id: 'getOverview',
  method: 'GET',
  path: '/overview',
  tag: 'Site',
  summary: 'Get the overview',
  description:
    'The site at a glance: how many there are, what waits, what is still to be set up, and what happened in the last ' +
    `${overviewDays} days. Everything is counted at the moment of the request.`,
  permission: 'site:read',
  params: nothing,
  query: Type.Object(
    {
      timeZone: defaulted(
        Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z0-9_+:/-]+$',
          default: 'UTC',
          description: 'The time zone in which days begin, by its name in the IANA database.',
          examples: ['Europe/Paris'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: null,
  success: { status: 200, description: 'The overview.', body: single(Overview), headers: [] },
  errors: [],
} as const satisfies Operation;
