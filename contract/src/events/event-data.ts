import { type Static, type TSchema, Type } from 'typebox';
import { AccessGroup } from '../access-groups/access-groups.ts';
import { AccessRule } from '../access-rules/access-rules.ts';
import { AccessToken } from '../credentials/access-tokens.ts';
import { permissions } from '../credentials/permissions.ts';
import { SigningKey } from '../credentials/signing-keys.ts';
import { emailBudgetNames, emailBudgetText } from '../emails/emails.ts';
import { memberSummaryProperties } from '../members/member.ts';
import {
  count,
  dateTime,
  exampleIds,
  flag,
  integer,
  nullable,
  openEnumeration,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';
import { Operator } from '../sites/operators.ts';
import { Site } from '../sites/sites.ts';
import { RunError, SourceRun } from '../sources/source-runs.ts';
import { Source } from '../sources/sources.ts';

/** Why sessions ended before they expired. */
export const sessionEnds = ['logged_out', 'revoked', 'blocked', 'email_changed', 'replaced'] as const;
export type SessionEnd = (typeof sessionEnds)[number];

/** Why access tokens were deleted. */
export const accessTokenEnds = ['deleted', 'logged_out', 'revoked', 'blocked', 'email_changed'] as const;
export type AccessTokenEnd = (typeof accessTokenEnds)[number];

const memberId = uuid('The member.', exampleIds.member);
const groupId = uuid('The access group.', exampleIds.group);
const keyId = uuid('The API key.', exampleIds.key);

/** A value of a changed field. */
export type ChangedValue = string | number | boolean | null;

export const Change = shape('Change', 'One field that was changed.', {
  field: text('The name of the field.', 'displayName'),
  from: Type.Unsafe<ChangedValue>({
    type: ['string', 'integer', 'boolean', 'null'],
    description: 'Its value before.',
    examples: ['Ada Lovelace'],
  }),
  to: Type.Unsafe<ChangedValue>({
    type: ['string', 'integer', 'boolean', 'null'],
    description: 'Its value after.',
    examples: ['Ada King'],
  }),
});
export type Change = Static<typeof Change>;

const changes = Type.Array(Change, { description: 'The fields that were changed.' });

const memberCreated = data('MemberCreatedData', {
  member: Type.Object(memberSummaryProperties, { description: 'The member as created.' }),
});
const memberUpdated = data('MemberUpdatedData', { memberId, changes });
const memberStatusChanged = data('MemberStatusChangedData', {
  memberId,
  changes: Type.Array(Change, {
    description: 'The change of `status`.',
    examples: [[{ field: 'status', from: 'active', to: 'blocked' }]],
  }),
});
const memberDeleted = data('MemberDeletedData', { memberId });

const accessGroupCreated = data('AccessGroupCreatedData', {
  group: Type.Object(
    {
      id: AccessGroup.properties.id,
      name: AccessGroup.properties.name,
      description: AccessGroup.properties.description,
      type: AccessGroup.properties.type,
    },
    { description: 'The access group as created.' },
  ),
});
const accessGroupUpdated = data('AccessGroupUpdatedData', { groupId, changes });
const accessGroupDeleted = data('AccessGroupDeletedData', {
  groupId,
  name: text('The last name of the group.', 'Course 2026'),
});
const membershipChanged = data('MembershipData', {
  groupId,
  memberId,
  expiresAt: Type.Optional(
    nullable(dateTime('When the membership expires; null if it does not.', '2030-12-31T23:00:00.000Z')),
  ),
});
const membershipUpdated = data('MembershipUpdatedData', {
  groupId,
  memberId,
  changes: Type.Array(Change, {
    description: 'The change of `expiresAt`.',
    examples: [[{ field: 'expiresAt', from: null, to: '2030-12-31T23:00:00.000Z' }]],
  }),
});

const keyCreated = data('KeyCreatedData', {
  keyId,
  name: text('The name of the key.', 'Shop'),
  permissions: Type.Array(openEnumeration(permissions, 'A permission.', 'members:read'), {
    description: 'The permissions of the key.',
  }),
  expiresAt: nullable(dateTime('When the key expires; null if it does not.', '2031-01-31T09:30:00.000Z')),
});
const keyRotated = data('KeyRotatedData', {
  keyId,
  replacedBy: uuid('The key that replaces it.', '01980a30-0f51-7e3c-b2a4-5d6e7f809102'),
  expiresAt: dateTime('Until when the old key works.', '2026-02-01T09:30:00.000Z'),
});
const keyRevoked = data('KeyRevokedData', { keyId });

const operatorId = uuid('The operator.', exampleIds.operator);
const operatorInvited = data('OperatorInvitedData', {
  operator: Type.Object(
    {
      id: Operator.properties.id,
      email: nullable(Operator.properties.email),
      displayName: Operator.properties.displayName,
      role: Operator.properties.role,
    },
    {
      description:
        'The operator as invited. Email address and name are null after the operator has been removed.',
    },
  ),
});
const operatorUpdated = data('OperatorUpdatedData', {
  operatorId,
  changes: Type.Array(Change, {
    description: 'The change of `role`, `displayName` or `passkeys` (the number of passkeys).',
    examples: [[{ field: 'role', from: 'viewer', to: 'admin' }]],
  }),
});
const operatorRemoved = data('OperatorRemovedData', { operatorId });
const operatorLogin = data('OperatorLoginData', { operatorId });

const memberLogin = data('MemberLoginData', {
  memberId,
  sessionId: uuid('The new session.', exampleIds.session),
  method: openEnumeration(
    ['link', 'code', 'passkey'] as const,
    '`link`: with the link in the email. `code`: with the six-digit code in the email. `passkey`: with a passkey ' +
      '(operators only).',
    'link',
  ),
});
const loginLinkCreated = data('LoginLinkCreatedData', {
  memberId,
  loginLinkId: uuid('The login link.', exampleIds.loginLink),
  sent: flag('Whether the link was emailed to the member. Otherwise it was returned to the caller.', true),
});
const sessionEvicted = data('SessionEvictedData', {
  memberId,
  sessionIds: Type.Array(uuid('An ended session.', exampleIds.session), {
    description: 'The oldest sessions of the member, which a login has ended.',
  }),
  maxSessions: integer('The limit that the member had.', 3),
});
const sessionRevoked = data('SessionRevokedData', {
  memberId,
  sessionIds: Type.Array(uuid('An ended session.', exampleIds.session), {
    description:
      'The sessions that ended. Empty if the member was logged out everywhere without having one: then only login links ' +
      'were closed or known browsers removed.',
  }),
  reason: openEnumeration(
    sessionEnds,
    '`logged_out`: the member logged out. `revoked`: ended with an API key. `blocked`, `email_changed`: ended by ' +
      'that change of the member. `replaced`: ended by a new login in the same browser.',
    'logged_out',
  ),
});
const accessTokenCreated = data('AccessTokenCreatedData', {
  memberId,
  token: Type.Object(
    {
      id: AccessToken.properties.id,
      name: AccessToken.properties.name,
      pathPrefix: AccessToken.properties.pathPrefix,
      expiresAt: AccessToken.properties.expiresAt,
    },
    { description: 'The access token as created, without its secret.' },
  ),
});
const accessTokenDeleted = data('AccessTokenDeletedData', {
  memberId,
  tokenIds: Type.Array(uuid('A deleted access token.', exampleIds.accessToken), {
    description: 'The access tokens that were deleted.',
  }),
  reason: openEnumeration(
    accessTokenEnds,
    '`deleted`: this token was deleted. `logged_out`: the member logged out everywhere. `revoked`: all sessions of ' +
      'the member were ended. `blocked`, `email_changed`: ended by that change of the member.',
    'deleted',
  ),
});
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

const sourceId = uuid('The source.', exampleIds.source);
const runId = uuid('The run.', exampleIds.run);
const sourceCreated = data('SourceCreatedData', {
  source: Type.Object(
    { id: Source.properties.id, type: Source.properties.type, name: Source.properties.name },
    { description: 'The source as created.' },
  ),
});
const sourceUpdated = data('SourceUpdatedData', { sourceId, changes });
const sourceDeleted = data('SourceDeletedData', { sourceId, name: Source.properties.name });
const { created, added, changed, removed, withheld, blocked } = SourceRun.properties.counts.properties;
const sourceSynced = data('SourceSyncedData', {
  sourceId,
  runId,
  counts: shape('SyncCounts', 'What the run has changed.', {
    created,
    added,
    changed,
    removed,
    withheld,
    blocked,
  }),
});
const sourceFailed = data('SourceFailedData', { sourceId, runId, error: RunError });

const webhookId = uuid('The webhook.', exampleIds.webhook);
const host = text('The host of its URL. The URL itself may be secret.', 'shop.example.org');
const webhookCreated = data('WebhookCreatedData', { webhookId, host });
const webhookUpdated = data('WebhookUpdatedData', { webhookId, changes });
const webhookDeleted = data('WebhookDeletedData', { webhookId, host });
const webhookDisabled = data('WebhookDisabledData', {
  webhookId,
  host,
  reason: openEnumeration(
    ['gone', 'failing'] as const,
    '`gone`: the receiver answered 410 Gone. `failing`: every attempt of five days has failed.',
    'failing',
  ),
});

const invitationId = uuid('The invitation.', exampleIds.invitation);
const invitationCreated = data('InvitationCreatedData', {
  invitationId,
  accessGroupIds: Type.Array(uuid('An access group.', exampleIds.group), {
    description: 'The groups that those who join are added to.',
    examples: [[exampleIds.group]],
  }),
  isForAddress: flag('Whether it works for one email address only.', false),
  expiresAt: dateTime('Until when people can join with it.', '2026-02-14T09:30:00.000Z'),
});
const invitationUpdated = data('InvitationUpdatedData', { invitationId, changes });
const invitationSent = data('InvitationSentData', { invitationId });
const invitationRevoked = data('InvitationRevokedData', {
  invitationId,
  reason: openEnumeration(
    ['request', 'maker_removed'] as const,
    '`request`: somebody revoked it. `maker_removed`: the API key or operator that made it was revoked or removed.',
    'request',
  ),
});
const invitationRedeemed = data('InvitationRedeemedData', {
  invitationId,
  memberId,
  isNewMember: flag('Whether the person became a member by it.', true),
});
const joinRequestId = uuid('The request to join.', exampleIds.joinRequest);
const requestingMemberId = nullable(
  uuid('The member with the email address of the request; null if there is none.', exampleIds.member),
);
const joinRequestCreated = data('JoinRequestCreatedData', {
  joinRequestId,
  memberId: requestingMemberId,
  path: nullable(text('The path from which the person came; null if none is known.', '/courses/rowing')),
});
const joinRequestApproved = data('JoinRequestApprovedData', { joinRequestId, memberId });
const joinRequestDeclined = data('JoinRequestDeclinedData', { joinRequestId, memberId: requestingMemberId });
const pageCodeId = uuid('The page code.', exampleIds.pageCode);
const label = text('Its label.', 'Class 7b');
const pageCodeCreated = data('PageCodeCreatedData', { pageCodeId, label });
const pageCodeUpdated = data('PageCodeUpdatedData', { pageCodeId, changes });
const pageCodeRevoked = data('PageCodeRevokedData', { pageCodeId, label });
const pageCodeUsed = data('PageCodeUsedData', {
  pageCodeId,
  label,
  usedCount: count('How many times it had been entered by then. Recorded once an hour at most.', 24),
});
const pageCodePaused = data('PageCodePausedData', {
  until: dateTime('Until when chosen page codes are not accepted.', '2026-01-31T10:30:00.000Z'),
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
      'Only if the site had a domain, and `domain` or `scheme` changed: all members were logged out, and this is the ' +
        'number of sessions that ended. Their open login links were closed too. These sessions have no ' +
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

const signingKeyCreated = data('SigningKeyCreatedData', {
  signingKeyId: SigningKey.properties.id,
  signsFrom: SigningKey.properties.signsFrom,
  withdrawnKeyIds: Type.Array(SigningKey.properties.id, {
    description: 'The keys that are no longer published since then.',
    examples: [[]],
  }),
});

/** The schema of the data of an event, by event type. */
export const eventData = {
  'member.created': memberCreated,
  'member.updated': memberUpdated,
  'member.deleted': memberDeleted,
  'member.blocked': memberStatusChanged,
  'member.unblocked': memberStatusChanged,
  'access-group.created': accessGroupCreated,
  'access-group.updated': accessGroupUpdated,
  'access-group.deleted': accessGroupDeleted,
  'access-group.member.added': membershipChanged,
  'access-group.member.updated': membershipUpdated,
  'access-group.member.removed': membershipChanged,
  'access-group.member.expired': membershipChanged,
  'api-key.created': keyCreated,
  'api-key.rotated': keyRotated,
  'api-key.revoked': keyRevoked,
  'signing-key.created': signingKeyCreated,
  'operator.invited': operatorInvited,
  'operator.updated': operatorUpdated,
  'operator.removed': operatorRemoved,
  'operator.login': operatorLogin,
  'invitation.created': invitationCreated,
  'invitation.updated': invitationUpdated,
  'invitation.sent': invitationSent,
  'invitation.redeemed': invitationRedeemed,
  'invitation.revoked': invitationRevoked,
  'join-request.created': joinRequestCreated,
  'join-request.approved': joinRequestApproved,
  'join-request.declined': joinRequestDeclined,
  'page-code.created': pageCodeCreated,
  'page-code.updated': pageCodeUpdated,
  'page-code.used': pageCodeUsed,
  'page-code.revoked': pageCodeRevoked,
  'page-code.paused': pageCodePaused,
  'source.created': sourceCreated,
  'source.updated': sourceUpdated,
  'source.deleted': sourceDeleted,
  'source.synced': sourceSynced,
  'source.failed': sourceFailed,
  'webhook.created': webhookCreated,
  'webhook.updated': webhookUpdated,
  'webhook.deleted': webhookDeleted,
  'webhook.disabled': webhookDisabled,
  'site.created': siteCreated,
  'site.updated': siteUpdated,
  'host-claim.refused': hostClaimRefused,
  'member.login': memberLogin,
  'login-link.created': loginLinkCreated,
  'session.revoked': sessionRevoked,
  'session.evicted': sessionEvicted,
  'access-token.created': accessTokenCreated,
  'access-token.deleted': accessTokenDeleted,
  'access-rules.updated': accessRulesUpdated,
  'email-budget.exhausted': emailBudgetExhausted,
} as const satisfies Record<string, TSchema>;

export type EventType = keyof typeof eventData;

export type EventData = { [T in EventType]: Static<(typeof eventData)[T]> };

/** The types of events about a member. Their data is erased when the member is deleted. */
export type MemberEventType = {
  [T in EventType]: EventData[T] extends { memberId: string | null } | { member: { id: string } } ? T : never;
}[EventType];

export function isAboutMember(type: EventType): type is MemberEventType {
  const { properties } = eventData[type];
  return 'memberId' in properties || 'member' in properties;
}

/** What remains of the data of an event about a member after the member has been deleted. */
export const ErasedEventData = data('ErasedEventData', {
  memberId,
  erased: Type.Literal(true, { type: 'boolean', description: 'Always true.' }),
});
export type ErasedEventData = Static<typeof ErasedEventData>;

function ruleOrNothing(description: string) {
  return Type.Union([AccessRule, Type.Null()], { description });
}

function data<Properties extends Record<string, TSchema>>(title: string, properties: Properties) {
  return Type.Object(properties, { title });
}
