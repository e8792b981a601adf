import type { Static } from 'typebox';
import { maxMailServerReplyLength } from '../shared/limits.ts';
import { named } from '../shared/resource.ts';
import {
  closed,
  dateTime,
  exampleIds,
  flag,
  nullable,
  orNull,
  request,
  shape,
  single,
  text,
  uuid,
} from '../shared/schemas.ts';
import { dashboardOperation } from './operation.ts';

const siteId = uuid('The site. The role of the operator on it needs `site:write`.', exampleIds.site);

const FailedAttempt = shape('FailedAttempt', 'An email whose last attempt failed.', {
  at: dateTime('When the email was created.'),
  error: text('Why the last attempt failed.', 'The mail server replied 550.'),
  reply: nullable(
    text(
      'What the mail server said, as in `mailServerReply` of an email; null if it said nothing.',
      '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown',
      { maxLength: maxMailServerReplyLength },
    ),
  ),
});

export const MailServer = shape(
  'MailServer',
  'The mail server of the installation, without its credentials, and how it has worked for the site.',
  {
    configured: flag('Whether a mail server is configured. Without one, no email is sent.', true),
    from: nullable(
      text('The email address that emails are sent from; null without a mail server.', 'office@example.com'),
    ),
    host: nullable(
      text(
        'The host of the mail server, with the port if one is set. Null without a mail server, and if the ' +
          'installation has several sites: its mail server is then not a matter of one of them.',
        'mail.example.com:587',
      ),
    ),
    lastSentAt: nullable(
      dateTime('When the newest sent email of the last 30 days was accepted; null if there is none.'),
    ),
    lastFailure: orNull(FailedAttempt),
  },
);
export type MailServer = Static<typeof MailServer>;

export const TestMailServer = request('TestMailServer', { siteId });
export type TestMailServer = Static<typeof TestMailServer>;

export const QueuedTestEmail = shape('QueuedTestEmail', 'A test email that is being sent.', {
  emailId: uuid('The email, which `GET /emails/{emailId}` of the public API returns.', exampleIds.email),
});
export type QueuedTestEmail = Static<typeof QueuedTestEmail>;

export const mailServerOperations = named({
  getMailServer: dashboardOperation({
    method: 'GET',
    path: '/mail-server',
    tag: 'Mail server',
    summary: 'Get the mail server',
    description:
      'The mail server of the installation. `lastFailure` is the newest email of the last 30 days that has failed, or ' +
      'is waiting for another attempt, also if later ones were sent.',
    query: closed({ siteId }),
    returns: single(MailServer),
    success: 'The mail server.',
    errors: ['permission_denied'],
  }),
  testMailServer: dashboardOperation({
    method: 'POST',
    path: '/mail-server/test',
    tag: 'Mail server',
    summary: 'Send a test email',
    description:
      'Sends an email of the site to the email address of the operator, in the same way as every other email. It counts ' +
      'in the limits of emails.',
    body: TestMailServer,
    status: 201,
    returns: single(QueuedTestEmail),
    success: 'The email. Its status says whether it was sent.',
    errors: ['email_budget_exhausted'],
  }),
});
