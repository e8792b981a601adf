import { type Static, Type } from 'typebox';
import { Actor } from '../events/actor.ts';
import { bulkItems, bulkResults, itemError } from '../members/bulk-items.ts';
import { errorHelp } from '../shared/error-codes.ts';
import { joinRequestErrorCodes } from '../shared/errors.ts';
import {
  joinRequestDays,
  maxAccessGroupIds,
  maxDisplayNameLength,
  maxJoinRequestMessageLength,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  enumeration,
  exampleIds,
  integer,
  nullable,
  openEnumeration,
  orNull,
  request,
  shape,
  text,
  uuid,
  variants,
} from '../shared/schemas.ts';

export const joinRequestStatuses = ['pending', 'approved', 'declined', 'expired'] as const;
export type JoinRequestStatus = (typeof joinRequestStatuses)[number];

export const JoinRequest = shape(
  'JoinRequest',
  'A person who asks to become a member, or a member who asks for access.',
  {
    id: uuid('The request.', exampleIds.joinRequest),
    email: text('The email address, which the person has verified.', 'ada@example.com', { format: 'email' }),
    displayName: nullable(
      text(
        `The name that the person entered, or had as a member, at most ${maxDisplayNameLength} characters; null if none.`,
        'Ada Lovelace',
      ),
    ),
    message: nullable(
      text(
        `What the person wrote, as plain text of at most ${maxJoinRequestMessageLength} characters; null if nothing. ` +
          'Anyone can write anything here.',
        'I have registered for the course at the club.',
      ),
    ),
    path: nullable(
      text('The path of the site from which the person came; null if none is known.', '/courses/rowing'),
    ),
    memberId: nullable(
      uuid(
        'The member with this email address, also after the approval; null if there is none.',
        exampleIds.member,
      ),
    ),
    invitationId: nullable(
      uuid('The invitation with which the person came; null if there was none.', exampleIds.invitation),
    ),
    requestedGroupIds: Type.Array(uuid('An access group.', exampleIds.group), {
      description: 'The groups of that invitation. They are a proposal: the approval names the groups.',
      examples: [[exampleIds.group]],
    }),
    status: openEnumeration(
      joinRequestStatuses,
      `\`pending\`: it waits for a decision. \`approved\`, \`declined\`: it was decided. \`expired\`: nobody decided for ${joinRequestDays} days.`,
      'pending',
    ),
    createdAt: dateTime('When the person asked.'),
    expiresAt: nullable(
      dateTime('When a pending request expires; null for others.', '2026-03-02T09:30:00.000Z'),
    ),
    decidedAt: nullable(dateTime('When it was decided; null if it was not.')),
    decidedBy: orNull(Actor),
  },
);
export type JoinRequest = Static<typeof JoinRequest>;

const joinRequestIds = bulkItems(
  uuid('A request to join.', exampleIds.joinRequest),
  'The requests, 1 to 500. Duplicates count once.',
);

export const DecideJoinRequests = variants(
  'decision',
  [
    request(
      'ApproveJoinRequests',
      {
        decision: Type.Literal('approve', {
          description:
            'Each person becomes a member, if they are not one, joins the groups, and gets an email. A blocked member stays ' +
            'blocked: the request fails with `member_blocked`.',
        }),
        joinRequestIds,
        accessGroupIds: Type.Optional(
          Type.Array(uuid('A custom access group of the site.', exampleIds.group), {
            maxItems: maxAccessGroupIds,
            description: 'The groups to join. Defaults to none.',
            examples: [[]],
          }),
        ),
        membershipExpiresAt: Type.Optional(
          nullable(
            dateTime(
              'When the memberships expire, a time in the future; null or left out if they do not. A membership that ' +
                'exists and ends later, or does not end, stays as it is.',
              '2099-12-31T23:00:00.000Z',
            ),
          ),
        ),
      },
      { examples: [{ decision: 'approve', joinRequestIds: [exampleIds.joinRequest] }] },
    ),
    request('DeclineJoinRequests', {
      decision: Type.Literal('decline', {
        description: `Each person gets an email, and can ask again after ${joinRequestDays} days.`,
      }),
      joinRequestIds,
    }),
  ],
  { title: 'DecideJoinRequests', description: 'The decision for each of the requests.' },
);
export type DecideJoinRequests = Static<typeof DecideJoinRequests>;

const joinRequestId = uuid('The request.', exampleIds.joinRequest);

/** The result for one request. Narrow it by `status`. */
export const JoinRequestDecision = variants(
  'status',
  [
    shape('JoinRequestApproved', 'A request that was approved.', {
      joinRequestId,
      status: Type.Literal('approved', { description: 'The person is a member.' }),
      memberId: uuid('The member.', exampleIds.member),
    }),
    shape('JoinRequestDeclined', 'A request that was declined.', {
      joinRequestId,
      status: Type.Literal('declined', { description: 'The request was declined.' }),
    }),
    shape('JoinRequestNotDecided', 'A request that was not decided.', {
      joinRequestId,
      status: enumeration(
        ['conflict', 'error'],
        '`conflict`: it has been decided already, or has expired. `error`: any other failure.',
        'conflict',
      ),
      error: itemError(joinRequestErrorCodes, 'Why it was not decided.', 'join_request_decided'),
    }),
  ],
  {
    title: 'JoinRequestDecision',
    description: 'The result for one request; `status` determines its schema.',
  },
);
export type JoinRequestDecision = Static<typeof JoinRequestDecision>;

export const JoinRequestSummary = shape(
  'JoinRequestSummary',
  'The result in numbers: `decided` plus `failed` equals `total`.',
  {
    total: integer('Requests submitted.', 2, { minimum: 1 }),
    decided: count('Requests that were decided.', 1),
    failed: count('Requests with the status `conflict` or `error`.', 1),
  },
);
export type JoinRequestSummary = Static<typeof JoinRequestSummary>;

const exampleResults: JoinRequestDecision[] = [
  { joinRequestId: exampleIds.joinRequest, status: 'approved', memberId: exampleIds.member },
  {
    joinRequestId: exampleIds.otherJoinRequest,
    status: 'conflict',
    error: { code: 'join_request_decided', message: errorHelp.join_request_decided },
  },
];

const joinRequests = new Resource({
  tag: 'Join requests',
  name: 'request to join',
  read: 'join-requests:read',
  write: 'join-requests:write',
});

export const joinRequestOperations = named({
  listJoinRequests: joinRequests.list({
    path: '/join-requests',
    summary: 'List requests to join',
    description: `The people who ask to become members, and the members who ask for access, newest first. A request that was decided or has expired is deleted after ${joinRequestDays} days.`,
    query: { status: enumeration(joinRequestStatuses, 'Requests with this status.') },
    returns: JoinRequest,
    success: 'A page of requests to join.',
  }),
  getJoinRequest: joinRequests.get({
    path: '/join-requests/{joinRequestId}',
    summary: 'Get a request to join',
    description: 'One request with its status.',
    returns: JoinRequest,
  }),
  decideJoinRequests: joinRequests.bulk({
    path: '/join-requests/decide',
    summary: 'Decide up to 500 requests to join',
    description:
      'Approves or declines each request individually, so check the results; they are in the order submitted. All changes ' +
      'are stored together. A request that somebody else has decided in the meantime is a `conflict`.',
    furtherPermissions: [
      { permission: 'members:write', path: '/decision', values: ['approve'] },
      { permission: 'access-groups:write', path: '/accessGroupIds' },
    ],
    body: DecideJoinRequests,
    returns: bulkResults('request', JoinRequestDecision, JoinRequestSummary, exampleResults),
    success: 'The result for each request.',
    errors: ['scope_group_read_only', 'access_group_not_found'],
  }),
});
