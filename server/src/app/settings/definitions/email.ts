import { parseSender } from '../sender.ts';
import type { Definitions } from '../setting-definition.ts';
import { limit } from '../setting-values.ts';

export const emailSettings = {
  GATEHOUSE_SMTP_URL: {
    default: undefined,
    about: 'the mail server: `smtp://user:password@host:587`',
    details:
      'Emails are sent only over TLS, unless the mail server is on this machine and needs no password; `?ignoreTLS=true` at the end allows a mail server without TLS and without a password, on private networks. Without a mail server, emails are stored for a day and written to the log',
    isSecret: true,
    expected: 'smtp://user:password@host:587 or smtps://user:password@host',
    parse: (text: string) => (/^smtps?:\/\/[^/]/.test(text) && URL.canParse(text) ? text : undefined),
  },
  GATEHOUSE_MAIL_FROM: {
    default: undefined,
    about: 'the sender of emails: an email address, or a name with one, `Rowing Club <office@example.org>`',
    details: 'Required with a mail server. Without a name, the title of the site is shown',
    expected: 'the sender of emails, such as noreply@example.org or Rowing Club <noreply@example.org>',
    parse: parseSender,
  },
  GATEHOUSE_EMAIL_LIMIT_MAILBOX: {
    default: 20,
    about:
      'emails of one kind to one mailbox in an hour, for all spellings of its email address (`ada+1@`, dots at Gmail); 0 for no limit',
    ...limit('emails of one kind to one mailbox in an hour'),
  },
  GATEHOUSE_EMAIL_LIMIT_SENDER: {
    default: 10,
    about:
      'login links (and, separately, invitations) from one API key or operator to one person in an hour; 0 for no limit',
    ...limit('emails of one kind from one sender to one person in an hour'),
  },
  GATEHOUSE_EMAIL_LIMIT_SIGN_UP: {
    default: 1_000,
    about:
      'emails of a site in an hour to people who are not members yet; it never limits emails to members; 0 for no limit',
    ...limit('emails to people who are not members yet in an hour'),
  },
  GATEHOUSE_EMAIL_LIMIT_SIGN_UP_MAILBOX: {
    default: 5,
    about: 'emails in an hour to one mailbox of a person who is not a member yet; 0 for no limit',
    ...limit('emails to one mailbox of a person who is not a member yet in an hour'),
  },
} satisfies Definitions;
