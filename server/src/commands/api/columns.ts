import type { OperationId } from '@gatehouse/contract';
import { browserNames } from '@gatehouse/contract/browser-names';
import type { AnyShape } from './calls/site-api.ts';
import type { Schema } from './flags/schema.ts';
import { typesOf } from './flags/schema.ts';
import { fieldsText } from './values.ts';

/** A property, or a heading with what its cells show. */
export type Column =
  | string
  | readonly [heading: string, cell: (item: AnyShape, items: readonly AnyShape[]) => unknown];

const status: Column = ['status', (key) => statusOfKey(key)];

/** The columns of lists whose first properties are not what people look for. */
const columns: Partial<Record<OperationId, readonly Column[]>> = {
  listMembers: ['email', 'displayName', 'status', 'paid', 'verified', 'lastLoginAt', 'createdAt', 'id'],
  listAccessGroups: ['name', 'type', 'memberCount', 'maxSessions', 'id', 'description'],
  listAccessGroupMembers: ['email', 'displayName', 'status', 'paid', 'verified', 'lastLoginAt', 'id'],
  listMemberships: ['memberId', 'addedAt', 'expiresAt', 'source'],
  lookUpMembers: ['email', 'displayName', 'status', 'paid', 'id', 'accessGroups'],
  listMemberSessions: ['createdAt', 'lastSeenAt', 'id', ['browser', browserOf]],
  listInvitations: ['status', ['used', usesOf], 'expiresAt', 'id', 'email', 'note'],
  listInvitationRedemptions: [
    ['email', ({ member }) => member.email],
    ['name', ({ member }) => member.displayName],
    ['new member', ({ isNewMember }) => isNewMember],
    'redeemedAt',
  ],
  listJoinRequests: ['email', 'displayName', 'status', 'createdAt', 'id', 'message'],
  listPageCodes: ['label', 'status', ['used', usesOf], 'expiresAt', 'id', 'code'],
  listLoginProviders: [
    'name',
    'type',
    ['status', ({ enabled }) => onOrOff(enabled)],
    ['email trust', ({ emailTrust }) => emailTrust],
    'id',
    'issuer',
  ],
  listSources: [
    'name',
    'type',
    // A program decides both for its own source.
    ['status', ({ type, enabled }) => (type === 'program' ? null : onOrOff(enabled))],
    ['interval', ({ type, intervalMinutes }) => (type === 'program' ? null : `${intervalMinutes} min`)],
    ['collections', ({ collections }) => collections.length],
    'host',
    'id',
  ],
  listSourceRuns: [
    ['time', ({ startedAt, dueAt, createdAt }) => startedAt ?? dueAt ?? createdAt],
    ['status', (run) => (run.dryRun ? `${run.status} (dry run)` : run.status)],
    'trigger',
    'id',
    ['result', resultOfRun],
  ],
  listAccessTokens: ['name', 'pathPrefix', 'createdAt', 'expiresAt', 'lastUsedAt', 'id'],
  listSigningKeys: ['id', 'createdAt', 'signsFrom', 'publishedUntil', ['status', statusOfSigningKey]],
  listApiKeys: [
    ['last 4', ({ last4 }) => `…${last4}`],
    'name',
    status,
    'expiresAt',
    ['rate limit', ({ rateLimit }) => rateLimit ?? 'default'],
    'id',
    'permissions',
  ],
  listOperators: ['email', 'displayName', 'role', 'status', 'lastLoginAt', 'id'],
  listEmails: ['createdAt', 'recipient', 'type', 'status', 'id', ['error', ({ lastError }) => lastError]],
  listEvents: [
    'occurredAt',
    'type',
    ['actor', ({ actor }) => actorOf(actor)],
    'id',
    ['data', ({ data }) => fieldsText(data)],
  ],
  listEventGroups: [
    ['occurred', ({ types: [{ first }] }) => first.occurredAt],
    ['actor', ({ types: [{ first }] }) => actorOf(first.actor)],
    'id',
    [
      'types',
      ({ types }) => types.map(({ type, count }: AnyShape) => (count > 1 ? `${count} ${type}` : type)),
    ],
  ],
  listWebhooks: [
    'url',
    'status',
    ['event types', ({ eventTypes }) => (eventTypes === null ? 'all' : eventTypes)],
    'id',
    'description',
  ],
  listWebhookDeliveries: [
    ['time', ({ startedAt, dueAt }) => startedAt ?? dueAt],
    'type',
    'attempt',
    'status',
    'id',
    ['result', ({ responseStatus, error }) => responseStatus ?? error?.code],
  ],
  bulkCreateMembers: bulkColumns('email'),
  bulkUpdateMembers: bulkColumns('id'),
  bulkMemberActions: bulkColumns('memberId'),
  bulkCreateInvitations: bulkColumns('email'),
  decideJoinRequests: bulkColumns('joinRequestId'),
};

function usesOf({ usedCount, maxUses }: AnyShape): string {
  return maxUses === null ? `${usedCount}` : `${usedCount} of ${maxUses}`;
}

const maxColumns = 8;

/** The columns of a list; by default the first properties with a single value. */
export function columnsOf(id: OperationId, item: Schema): readonly Column[] {
  const known = columns[id];
  if (known) return known;
  const names = Object.entries(item.properties ?? {}).filter(([, schema]) => isScalar(schema));
  return names.map(([name]) => name).slice(0, maxColumns);
}

function isScalar(schema: Schema): boolean {
  return typesOf(schema).some((type) => !['array', 'object', 'null'].includes(type));
}

export function statusOfKey({ revokedAt, expiresAt, replacedBy }: AnyShape): string {
  if (revokedAt !== null) return 'revoked';
  const hasEnded = expiresAt !== null && expiresAt <= new Date().toISOString();
  if (hasEnded) return replacedBy === null ? 'expired' : 'replaced';
  return replacedBy === null ? 'active' : 'active, being replaced';
}

/** The keys are in the order in which they were created, the newest first. */
function statusOfSigningKey({ id, signsFrom }: AnyShape, keys: readonly AnyShape[]): string {
  const now = new Date().toISOString();
  if (signsFrom > now) return 'waiting';
  return keys.find((key) => key.signsFrom <= now)?.id === id ? 'signing' : 'replaced';
}

function onOrOff(enabled: boolean): string {
  return enabled ? 'on' : 'off';
}

function browserOf({ userAgent, ipAddress }: AnyShape): string {
  const { browser, system } = browserNames(userAgent);
  return [browser, system, ipAddress].filter(Boolean).join(', ');
}

/** A name is enough for people. */
export function actorOf({ type, name }: AnyShape): string {
  return name ?? type;
}

function resultOfRun({ error, collections, counts }: AnyShape): string {
  const failure = error ?? collections.find((each: AnyShape) => each.error)?.error;
  if (failure) return failure.code;
  return runCounts
    .filter(([count]) => count === 'read' || counts[count] > 0)
    .map(([count, word]) => `${counts[count]} ${word}`)
    .join(', ');
}

const runCounts = [
  ['read', 'read'],
  ['created', 'new'],
  ['added', 'added'],
  ['changed', 'changed'],
  ['removed', 'removed'],
  ['skipped', 'skipped'],
] as const;

function bulkColumns(subject: string): readonly Column[] {
  return [subject, 'status', ['message', ({ error }) => error?.message]];
}
