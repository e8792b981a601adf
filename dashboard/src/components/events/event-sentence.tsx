import type { Change, ErasedEventData, Event, EventType } from '@gatehouse/client';
import type { ReactNode } from 'react';
import type { TextAreas } from '../../languages/areas.ts';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { EndText } from '../end-text.tsx';
import { TimeText } from '../time-text.tsx';
import { eventTypeText } from './event-type-text.ts';
import {
  ActorReference,
  CodeReference,
  GroupReference,
  InvitationReference,
  KeyReference,
  MemberLink,
  MemberReference,
  Name,
  OperatorReference,
  SourceReference,
} from './references.tsx';

type Texts = ReturnType<typeof useTexts<'events'>>;
/** The key of a text, and its values. */
type Sentence = [name: keyof TextAreas['events'] & string, values: Record<string, ReactNode>];

const maxListed = 3;

/** What happened, as a sentence with links to the members, groups and keys in it. */
export function EventSentence({ event }: { event: Event }) {
  const t = useTexts('events');
  const [name, values] = toSentence(event, t);
  return t.rich(name, { actor: <ActorReference actor={event.actor} />, ...values });
}

/** What a bulk action did, as a sentence; `event` is one of the events that it caused. */
export function ManySentence({ event, count }: { event: Event; count: number }) {
  const t = useTexts('events');
  if (count === 1) return <EventSentence event={event} />;
  const { type, data, actor } = event;
  const values = {
    actor: <ActorReference actor={actor} />,
    what: eventTypeText(t, type),
    group: 'groupId' in data ? <GroupReference id={data.groupId} /> : null,
    fields: 'changes' in data && type === 'member.updated' ? fieldsOf(data.changes, t, type) : null,
    count,
  };
  const name = `many.${type}`;
  // The changed fields of members who were deleted later are unknown.
  return t.rich(
    t.has(name) && !(type === 'member.updated' && values.fields === null) ? name : 'many.any',
    values,
  );
}

/** The name of a field in an event of this type; the field itself if this version does not know it. */
export function fieldText(t: Texts, field: string, type: string): string {
  const [thing] = type.split('.');
  const name = [`field.${thing}.${field}`, `field.${field}`].find((each) => t.has(each));
  return name === undefined ? field : t(name);
}

/** An event whose data has not been deleted. */
type EventWithData = {
  [Type in EventType]: Omit<Event<Type>, 'data'> & { data: Exclude<Event<Type>['data'], ErasedEventData> };
}[EventType];
type EventData = EventWithData['data'];
type Of<Type extends EventType> = Extract<EventWithData, { type: Type }>;

function toSentence(event: Event, t: Texts): Sentence {
  const { type, data } = event;
  if ('erased' in data) return ['say.erased', { what: eventTypeText(t, type), ...referencesIn(event, t) }];
  if (!t.has(`type.${type}`)) return describeUnknown(event, t);
  const [name, values] = sentenceOf(event as EventWithData, t);
  return [name, { ...referencesIn(event, t), ...values }];
}

/** What the data of a known event names, as links. */
function referencesIn(event: Event, t: Texts): Record<string, ReactNode> {
  const data: EventData | ErasedEventData = event.data;
  // Each change of the access rules is that of a path, and not of a field.
  const changes = 'changes' in data && event.type !== 'access-rules.updated' ? data.changes : undefined;
  return {
    ...('memberId' in data && data.memberId !== null && { member: <MemberReference id={data.memberId} /> }),
    ...('member' in data && { member: <MemberLink member={data.member} /> }),
    ...('groupId' in data && { group: <GroupReference id={data.groupId} /> }),
    ...('group' in data && { group: <GroupReference id={data.group.id} name={data.group.name} /> }),
    ...('sourceId' in data && { source: <SourceReference id={data.sourceId} /> }),
    ...('source' in data && { source: <SourceReference id={data.source.id} name={data.source.name} /> }),
    ...('keyId' in data && { key: <KeyReference id={data.keyId} /> }),
    ...('pageCodeId' in data && {
      code: <CodeReference id={data.pageCodeId} {...('label' in data && { label: data.label })} />,
    }),
    ...('invitationId' in data && { invitation: <InvitationReference id={data.invitationId} /> }),
    ...('providerId' in data && { provider: <Name>{data.name}</Name> }),
    ...('operatorId' in data && { operator: <OperatorReference id={data.operatorId} /> }),
    ...(changes && { fields: fieldsOf(changes as readonly Change[], t, event.type) }),
    ...('expiresAt' in data && data.expiresAt && { time: <EndText at={data.expiresAt} isInLog /> }),
  };
}

/** The text for an event, and the values that are not references. */
function sentenceOf(event: EventWithData, t: Texts): Sentence {
  switch (event.type) {
    case 'member.created':
      return [isSelf(event, event.data.member.id) ? 'say.member.created.self' : 'say.member.created', {}];
    case 'member.updated':
    case 'member.deleted':
      return [isSelf(event, event.data.memberId) ? `say.${event.type}.self` : `say.${event.type}`, {}];
    case 'access-group.deleted':
      return ['say.access-group.deleted', { group: <Name>{event.data.name}</Name> }];
    case 'access-group.member.added':
      return [event.data.expiresAt ? 'say.access-group.member.added.until' : `say.${event.type}`, {}];
    case 'access-group.member.updated':
      return describeEnd(event);
    case 'api-key.created':
      return ['say.api-key.created', { key: <Name>{event.data.name}</Name> }];
    case 'operator.invited':
      return describeInvitation(event, t);
    case 'operator.updated':
      return describeOperatorUpdate(event, t);
    case 'member.login':
    case 'login-link.created':
    case 'session.revoked':
    case 'session.evicted':
      return describeLogin(event, t);
    case 'access-token.created':
    case 'access-token.deleted':
    case 'member.passkey.added':
    case 'member.passkey.removed':
    case 'member.identity.linked':
    case 'member.identity.removed':
      return describeCredential(event, t);
    case 'site.created':
    case 'site.updated':
    case 'host-claim.refused':
      return describeSite(event);
    case 'access-rules.updated':
      return describeRules(event);
    case 'source.deleted':
      return ['say.source.deleted', { source: <Name>{event.data.name}</Name> }];
    case 'source.synced':
      return ['say.source.synced', { ...event.data.counts }];
    case 'source.failed':
      return ['say.source.failed', { error: event.data.error.message }];
    case 'invitation.revoked':
    case 'invitation.redeemed':
    case 'join-request.created':
    case 'join-request.declined':
      return describeWayIn(event, t);
    case 'page-code.updated':
    case 'page-code.used':
    case 'page-code.paused':
      return describePageCode(event);
    case 'email-budget.exhausted':
      return describeLimit(event);
    default:
      return describeAny(event, t);
  }
}

function describePageCode(event: Of<'page-code.updated' | 'page-code.used' | 'page-code.paused'>): Sentence {
  switch (event.type) {
    case 'page-code.updated': {
      const isReplaced = event.data.changes.some(({ field }) => field === 'code');
      return [isReplaced ? 'say.page-code.replaced' : 'say.page-code.updated', {}];
    }
    case 'page-code.used':
      return ['say.page-code.used', { count: event.data.usedCount }];
    case 'page-code.paused':
      return ['say.page-code.paused', { time: <TimeText at={event.data.until} as="full" /> }];
  }
}

function describeLimit({
  data: { budget, limit, memberId, resetsAt },
}: Of<'email-budget.exhausted'>): Sentence {
  const values = { limit, time: <TimeText at={resetsAt} as="full" /> };
  if (budget === 'sign_up') return ['say.email-budget.sign_up', values];
  const recipient = memberId === null ? 'say.email-budget.anonymous' : 'say.email-budget.member';
  return [budget === 'sender' ? `${recipient}.sender` : recipient, values];
}

function describeEnd({ data }: Of<'access-group.member.updated'>): Sentence {
  const end = data.changes[0]?.to;
  if (typeof end !== 'string') return ['say.access-group.member.updated.forever', {}];
  return ['say.access-group.member.updated', { time: <EndText at={end} isInLog /> }];
}

function describeInvitation({ actor, data }: Of<'operator.invited'>, t: Texts): Sentence {
  const { id, displayName, email, role } = data.operator;
  // The first owner is not invited, but uses the setup link that the first start prints.
  if (actor.id === id) return ['say.operator.first', {}];
  const name = displayName ?? email;
  const operator = name === null ? <OperatorReference id={id} /> : <Name>{name}</Name>;
  return ['say.operator.invited', { operator, role: valueText(t, 'role', role) }];
}

function describeOperatorUpdate({ data }: Of<'operator.updated'>, t: Texts): Sentence {
  const { field, from, to } = data.changes[0] ?? { field: 'role', from: null, to: null };
  const [before, after] = [valueText(t, field, from), valueText(t, field, to)];
  if (field === 'displayName')
    return ['say.operator.renamed', { before: <Name>{before}</Name>, name: <Name>{after}</Name> }];
  if (field === 'passkeys') return ['say.operator.passkeys', { before, count: after }];
  return ['say.operator.updated', { role: after }];
}

function describeLogin(
  event: Of<'member.login' | 'login-link.created' | 'session.revoked' | 'session.evicted'>,
  t: Texts,
): Sentence {
  switch (event.type) {
    case 'member.login': {
      const { method, passkey, provider } = event.data;
      const used = passkey ?? provider;
      if (used)
        return [`say.member.login.${passkey ? 'passkey' : 'provider'}`, { name: <Name>{used.name}</Name> }];
      const name = `say.member.login.${method}`;
      return t.has(name) ? [name, {}] : describeUnknown(event, t);
    }
    case 'login-link.created': {
      if (isSelf(event, event.data.memberId)) return ['say.login-link.created.self', {}];
      return [event.data.sent ? 'say.login-link.created.sent' : 'say.login-link.created.given', {}];
    }
    case 'session.evicted':
      return ['say.session.evicted', { count: event.data.sessionIds.length }];
    case 'session.revoked': {
      if (event.data.sessionIds.length === 0) return ['say.session.revoked.no_session', {}];
      const name = `say.session.revoked.${event.data.reason}`;
      return t.has(name) ? [name, { count: event.data.sessionIds.length }] : describeUnknown(event, t);
    }
  }
}

type OfCredential = Of<
  | 'access-token.created'
  | 'access-token.deleted'
  | 'member.passkey.added'
  | 'member.passkey.removed'
  | 'member.identity.linked'
  | 'member.identity.removed'
>;

function describeCredential(event: OfCredential, t: Texts): Sentence {
  if (event.type === 'member.passkey.added' || event.type === 'member.passkey.removed')
    return describePasskey(event, t);
  if (event.type === 'member.identity.linked' || event.type === 'member.identity.removed')
    return describeIdentity(event, t);
  if (event.type === 'access-token.created')
    return ['say.access-token.created', { name: <Name>{event.data.token.name}</Name> }];
  const name = `say.access-token.deleted.${event.data.reason}`;
  return t.has(name) ? [name, { count: event.data.tokenIds.length }] : describeUnknown(event, t);
}

function describePasskey(event: Of<'member.passkey.added' | 'member.passkey.removed'>, t: Texts): Sentence {
  if (event.type === 'member.passkey.added')
    return ['say.member.passkey.added', { name: <Name>{event.data.passkey.name}</Name> }];
  const { reason, passkeyIds, names } = event.data;
  const name = `say.member.passkey.removed.${reason}`;
  const values = { count: passkeyIds.length, name: <Name>{shortList(names)}</Name> };
  return t.has(name) ? [name, values] : describeUnknown(event, t);
}

function describeIdentity(
  event: Of<'member.identity.linked' | 'member.identity.removed'>,
  t: Texts,
): Sentence {
  if (event.type === 'member.identity.linked') return ['say.member.identity.linked', {}];
  const name = `say.member.identity.removed.${event.data.reason}`;
  return t.has(name) ? [name, {}] : describeUnknown(event, t);
}

function describeSite(event: Of<'site.created' | 'site.updated' | 'host-claim.refused'>): Sentence {
  if (event.type === 'site.created')
    return ['say.site.created', { site: <Name>{event.data.site.title}</Name> }];
  if (event.type === 'host-claim.refused') {
    const { claimed, domain } = event.data;
    return ['say.host-claim.refused', { claimed: <Name>{claimed}</Name>, domain: <Name>{domain}</Name> }];
  }
  const { changes, sessionsEnded } = event.data;
  if (changes.length === 0) return ['say.site.updated.everyone', { count: sessionsEnded ?? 0 }];
  return sessionsEnded ? ['say.site.updated.logged_out', { count: sessionsEnded }] : ['say.site.updated', {}];
}

type WayIn = Of<
  'invitation.revoked' | 'invitation.redeemed' | 'join-request.created' | 'join-request.declined'
>;

function describeWayIn(event: WayIn, t: Texts): Sentence {
  const name = `say.${event.type}${variantOf(event)}`;
  return t.has(name) ? [name, {}] : describeUnknown(event, t);
}

function variantOf(event: WayIn): string {
  switch (event.type) {
    case 'invitation.revoked':
      return event.data.reason === 'maker_removed' ? '.maker_removed' : '';
    case 'invitation.redeemed':
      return event.data.isNewMember ? '' : '.groups';
    default:
      return event.data.memberId === null ? '' : '.member';
  }
}

function describeRules({ data }: Of<'access-rules.updated'>): Sentence {
  const paths = data.changes.map(({ path }) => path);
  return ['say.access-rules.updated', { count: paths.length, paths: <Name>{shortList(paths)}</Name> }];
}

/** For types whose text needs only references, webhooks, and types that this version does not know. */
function describeAny(event: EventWithData, t: Texts): Sentence {
  const name = `say.${event.type}`;
  return t.has(name) ? [name, {}] : describeUnknown(event, t);
}

function describeUnknown({ type, data }: Pick<Event, 'type' | 'data'>, t: Texts): Sentence {
  const what = eventTypeText(t, type);
  return 'host' in data ? ['say.webhook', { what, host: <Name>{data.host}</Name> }] : ['say.any', { what }];
}

function isSelf({ actor }: Pick<Event, 'actor'>, memberId: string): boolean {
  return actor.type === 'member' && actor.id === memberId;
}

const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

function fieldsOf(changes: readonly Change[], t: Texts, type: string): string {
  return lists.format(changes.map(({ field }) => fieldText(t, field, type)));
}

function shortList(names: readonly string[]): string {
  return `${names.slice(0, maxListed).join(', ')}${names.length > maxListed ? ', …' : ''}`;
}

/** A value of a changed field, in readable form. */
export function valueText(t: Texts, field: string, value: string | number | boolean | null): string {
  if (field === 'expiresAt' && value === null) return t('noEnd');
  if (value === null || value === '') return t('nothing');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return String(value);
  if (field === 'signUpDomains') return domainsIn(value);
  if (field === 'identityHeaders') return headersIn(value);
  const name = `${field}.${value}`;
  return t.has(name) ? t(name) : value;
}

/** The names in a list of domains from an event; any other value unchanged. */
function domainsIn(value: string): string {
  try {
    const domains: { domain: string }[] = JSON.parse(value);
    return domains.map(({ domain }) => domain).join(', ') || '–';
  } catch {
    return value;
  }
}

/** The names of identity headers from an event; any other value unchanged. */
function headersIn(value: string): string {
  try {
    const { encoding, ...names }: Record<string, string | null> = JSON.parse(value);
    return `${Object.values(names)
      .map((name) => name ?? '–')
      .join(', ')} (${encoding})`;
  } catch {
    return value;
  }
}
