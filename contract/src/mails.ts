import Type, { type Static } from 'typebox';
import type { Operation } from './operation.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  nothing,
  nullable,
  openEnumeration,
  page,
  pageParameters,
  single,
  uuid,
} from './schemas.ts';

export const mailKinds = ['login_link', 'invitation'] as const;
export type MailKind = (typeof mailKinds)[number];

export const mailStates = ['waiting', 'sent', 'kept', 'failed'] as const;
export type MailState = (typeof mailStates)[number];

export const Mail = Type.Object(
  {
    id: uuid('The mail.', exampleIds.mail),
    kind: openEnumeration(mailKinds, {
      description: '`login_link`: logs a member in. `invitation`: asks somebody to help run a site.',
      examples: ['login_link'],
    }),
    recipient: Type.String({ description: 'The address that it goes to.', examples: ['ada@example.com'] }),
    memberId: nullable(
      uuid('The member whom it goes to; null for an address that belonged to no member.', exampleIds.member),
    ),
    state: enumeration(mailStates, {
      description:
        '`waiting`: it is still to be sent. `sent`: the mail server took it. `kept`: there is no mail server, so it can be ' +
        'read here for a day. `failed`: the mail server refused it, or was away for too long.',
      examples: ['sent'],
    }),
    attempts: Type.Integer({ minimum: 0, description: 'How often it was tried.', examples: [1] }),
    nextAttemptAt: nullable(dateTime('When it is tried next; null unless it waits.')),
    lastError: nullable(
      Type.String({
        description: 'Why the last try failed; null if none did, and once it is sent.',
        examples: ['550 No such mailbox'],
      }),
    ),
    subject: Type.String({
      description: 'Its subject, without the code that logs in.',
      examples: ['Log in to Example Academy'],
    }),
    createdAt: dateTime('When it was written.'),
    sentAt: nullable(dateTime('When the mail server took it; null if it did not.')),
  },
  { title: 'Mail', description: 'A mail of the site, as long as it is remembered: 30 days.' },
);
export type Mail = Static<typeof Mail>;

export const MailWithContent = Type.Object(
  {
    ...Mail.properties,
    text: nullable(
      Type.String({
        description:
          'What it says, as plain text. Only with the permission `login-links:write`, as whoever reads a login link is that ' +
          'member; null without it, and once nobody needs to read it any more.',
        examples: ['Open this link to log in: https://academy.example.com/_gatehouse/link/3q2-7wAAA'],
      }),
    ),
    html: nullable(
      Type.String({
        description: 'The same as HTML, with the same rule.',
        examples: ['<p>Open this link to log in …'],
      }),
    ),
  },
  { title: 'MailWithContent', description: 'A mail together with what it says.' },
);
export type MailWithContent = Static<typeof MailWithContent>;

export const listMails = {
  id: 'listMails',
  method: 'GET',
  path: '/mails',
  tag: 'Mails',
  summary: 'List mails',
  description: 'The mails of the last 30 days, newest first. All filters that are given must match.',
  permission: 'mails:read',
  params: nothing,
  query: Type.Object(
    {
      ...pageParameters,
      state: Type.Optional(enumeration(mailStates, { description: 'Mails in this state.' })),
      memberId: Type.Optional(uuid('Mails to this member.', exampleIds.member)),
    },
    { additionalProperties: false },
  ),
  body: null,
  success: { status: 200, description: 'A page of mails.', body: page(Mail), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;

export const getMail = {
  id: 'getMail',
  method: 'GET',
  path: '/mails/{mailId}',
  tag: 'Mails',
  summary: 'Get a mail',
  description: 'One mail, with what it says for those who may read it.',
  permission: 'mails:read',
  params: Type.Object(
    { mailId: uuid('The id of the mail.', exampleIds.mail) },
    { additionalProperties: false },
  ),
  query: nothing,
  body: null,
  success: { status: 200, description: 'The mail.', body: single(MailWithContent), headers: ['ETag'] },
  errors: ['mail_not_found'],
} as const satisfies Operation;
