import type { Static } from 'typebox';
import { maxMailServerReplyLength } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  enumeration,
  exampleIds,
  nullable,
  openEnumeration,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';

/** The budgets that limit the emails in an hour. */
export const emailBudgetNames = ['mailbox', 'sender', 'sign_up', 'known_browser'] as const;

export type EmailBudgetName = (typeof emailBudgetNames)[number];

export const emailBudgetText =
  '`mailbox`: emails of one type into one mailbox. `sender`: emails of one type from one API key or operator to one ' +
  'person. `sign_up`: emails of the site to people who are not members yet. `known_browser`: login emails that one ' +
  'known browser requests for its member.';

export const emailTypes = [
  'login_link',
  'invitation',
  'session_limit',
  'webhook_disabled',
  'new_passkey',
  'new_browser',
  'member_invitation',
  'join_requests',
  'join_request_approved',
  'join_request_declined',
  'page_codes_paused',
  'address_code',
  'address_changed',
  'passkey_removed',
  'account_linked',
  'mail_test',
] as const;
export type EmailType = (typeof emailTypes)[number];

export const emailStatuses = ['waiting', 'sent', 'not_sent', 'failed'] as const;
export type EmailStatus = (typeof emailStatuses)[number];

export const Email = shape('Email', 'An email of the site. Emails are retained for 30 days.', {
  id: uuid('The email.', exampleIds.email),
  type: openEnumeration(
    emailTypes,
    '`login_link`: logs a member in. `invitation`: invites a person to become an operator of a site. ' +
      '`session_limit`: tells a member that a login has ended older sessions. `webhook_disabled`: tells an owner or an ' +
      'administrator that a webhook was disabled. `new_passkey` and `passkey_removed`: tell a member about a passkey that ' +
      'was added or removed. `new_browser`: tells an operator about a login in a new browser; it is in the list of no site. ' +
      '`member_invitation`: invites a person ' +
      'to become a member. `join_requests`: tells an operator how many people ask to join. `join_request_approved` and ' +
      '`join_request_declined`: tell a person about the decision. `page_codes_paused`: tells an operator that chosen page ' +
      'codes are not accepted for an hour. `address_code`: brings a member the ' +
      'code for a new email address, or tells another member who has it. `address_changed`: goes to the former email ' +
      'address of a member, with a link that takes the change back. `account_linked`: tells a member that an account at a ' +
      'login provider can be used to log in. `mail_test`: a test of the mail server, to the operator who has requested it.',
    'login_link',
  ),
  recipient: text('The email address that the email is sent to.', 'ada@example.com'),
  memberId: nullable(
    uuid('The member whom the email is sent to; null if the recipient is not a member.', exampleIds.member),
  ),
  status: enumeration(
    emailStatuses,
    '`waiting`: in the queue. `sent`: accepted by the mail server. `not_sent`: no mail server is configured; the ' +
      'content can be read here for a day. `failed`: rejected by the mail server, or the mail server was ' +
      'unavailable for too long.',
    'sent',
  ),
  attempts: count('The number of delivery attempts.', 1),
  nextAttemptAt: nullable(dateTime('The time of the next attempt; null unless the email is waiting.')),
  lastError: nullable(
    text(
      'Why the last attempt failed; null if none failed or the email has been sent.',
      'The mail server replied 550.',
    ),
  ),
  mailServerReply: nullable(
    text(
      `What the mail server said about the email at the last attempt, at most ${maxMailServerReplyLength} characters on ` +
        'one line. URLs, and what could be a token, are replaced by `[…]`. Null if it said nothing, or repeated a ' +
        'secret.',
      '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown',
      { maxLength: maxMailServerReplyLength },
    ),
  ),
  subject: text('The subject, without the login code.', 'Log in to Example Academy'),
  createdAt: dateTime('When the email was created.'),
  sentAt: nullable(dateTime('When the mail server accepted it; null if it did not.')),
});
export type Email = Static<typeof Email>;

export const EmailWithContent = shape('EmailWithContent', 'An email with its content.', {
  ...Email.properties,
  text: nullable(
    text(
      'The content as plain text. Requires the permission `login-links:write`, because anyone who reads a login ' +
        'link can log in as that member. Null without this permission, for a key that expires, and after the content ' +
        'has been purged.',
      'Open this link to log in: https://academy.example.com/_gatehouse/link/3q2-7wAAA',
    ),
  ),
  html: nullable(text('The content as HTML, under the same conditions.', '<p>Open this link to log in …')),
});
export type EmailWithContent = Static<typeof EmailWithContent>;

const emails = new Resource({
  tag: 'Emails',
  name: 'email',
  read: 'emails:read',
  write: 'login-links:send',
});

export const emailOperations = named({
  listEmails: emails.list({
    path: '/emails',
    summary: 'List emails',
    description: 'The emails of the last 30 days, newest first. An email must match all given filters.',
    query: {
      status: enumeration(emailStatuses, 'Emails with this status.'),
      memberId: uuid('Emails to this member.', exampleIds.member),
    },
    returns: Email,
  }),
  getEmail: emails.get({
    path: '/emails/{emailId}',
    summary: 'Get an email',
    description: 'One email, with its content if the caller may read it.',
    returns: EmailWithContent,
  }),
  resendEmail: emails.create({
    path: '/emails/{emailId}/resend',
    summary: 'Resend a failed email',
    description:
      'Only for an email with the status `failed` that is a login link to a member, or an invitation. A new email is ' +
      'created and sent; the failed one stays in the list. For a login link, the new email has a new link and is sent to ' +
      'the current email address of the member, who must not be blocked. For the invitation of an operator, the caller ' +
      'needs the permission `operators:write` as well, and the operator must still have a role on the site. For the ' +
      'invitation of another person (`member_invitation`), the caller needs `invitations:write` and `members:write` as ' +
      'well, the invitation must be active, and the new email has a new link. The limits of `createMemberLoginLink`, ' +
      '`inviteOperator` and `sendInvitation` apply.',
    furtherPermissions: [{ permission: 'emails:read' }],
    returns: Email,
    headers: [],
    errors: [
      'email_not_resendable',
      'member_not_found',
      'member_blocked',
      'operator_not_found',
      'site_domain_missing',
      'email_budget_exhausted',
    ],
  }),
});
