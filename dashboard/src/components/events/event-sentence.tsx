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
  GroupReference,
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

const maxPaths = 3;

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
    fields: 'changes' in data && type === 'member.updated' ? fieldsOf(data.changes, t) : null,
    count,
  };
  const name = `many.${type}`;
  // The changed fields of members who were deleted later are unknown.
  return t.rich(
    t.has(name) && !(type === 'member.updated' && values.fields === null) ? name : 'many.any',
    values,
  );
}

/** The name of a field; the field itself if this version does not know it. */
export function fieldText(t: Texts, field: string): string {
  const name = `field.${field}`;
  return t.has(name) ? t(name) : field;
}

/** An event whose data has not been deleted. */
type EventWithData = {
  [Type in EventType]: Omit<Event<Type>, 'data'> & { data: Exclude<Event<Type>['data'], ErasedEventData> };
}[EventType];
type Of<Type extends EventType> = Extract<EventWithData, { type: Type }>;

function toSentence(event: Event, t: Texts): Sentence {
  const { type, data } = event;
  if ('erased' in data) return ['say.erased', { what: eventTypeText(t, type), ...about(data.memberId) }];
  return sentenceOf(event as EventWithData, t);
}

function sentenceOf(event: EventWithData, t: Texts): Sentence {
  switch (event.type) {
    case 'member.created':
    case 'member.updated':
    case 'member.deleted':
      return describeMember(event, t);
    case 'member.blocked':
    case 'member.unblocked':
      return [`say.${event.type}`, about(event.data.memberId)];
    case 'access-group.created':
    case 'access-group.updated':
    case 'access-group.deleted':
      return describeGroup(event, t);
    case 'access-group.member.added':
    case 'access-group.member.removed':
    case 'access-group.member.expired':
      return describeMembership(event);
    case 'access-group.member.updated':
      return describeEnd(event);
    case 'api-key.created':
    case 'api-key.rotated':
    case 'api-key.revoked':
      return describeKey(event);
    case 'operator.invited':
    case 'operator.updated':
    case 'operator.removed':
    case 'operator.login':
      return describeOperator(event, t);
    case 'member.login':
    case 'login-link.created':
    case 'session.revoked':
    case 'session.evicted':
      return describeLogin(event, t);
    case 'access-token.created':
    case 'access-token.deleted':
      return describeAccessToken(event, t);
    case 'site.created':
    case 'site.updated':
      return describeSite(event, t);
    case 'host-claim.refused':
      return [
        'say.host-claim.refused',
        { claimed: <Name>{event.data.claimed}</Name>, domain: <Name>{event.data.domain}</Name> },
      ];
    case 'signing-key.created':
      return ['say.signing-key.created', {}];
    case 'access-rules.updated':
      return describeRules(event);
    case 'source.created':
    case 'source.updated':
    case 'source.deleted':
    case 'source.synced':
    case 'source.failed':
      return describeSource(event, t);
    case 'email-budget.exhausted':
      return describeLimit(event);
    default:
      return describeAny(event, t);
  }
}

function describeSource(
  event: Of<'source.created' | 'source.updated' | 'source.deleted' | 'source.synced' | 'source.failed'>,
  t: Texts,
): Sentence {
  switch (event.type) {
    case 'source.created':
      return [
        'say.source.created',
        { source: <SourceReference id={event.data.source.id} name={event.data.source.name} /> },
      ];
    case 'source.updated':
      return [
        'say.source.updated',
        { source: <SourceReference id={event.data.sourceId} />, fields: fieldsOf(event.data.changes, t) },
      ];
    case 'source.deleted':
      return ['say.source.deleted', { source: <Name>{event.data.name}</Name> }];
    case 'source.synced':
      return ['say.source.synced', { ...event.data.counts }];
    case 'source.failed':
      return ['say.source.failed', { error: event.data.error.message }];
  }
}

function describeLimit({
  data: { budget, limit, memberId, resetsAt },
}: Of<'email-budget.exhausted'>): Sentence {
  const values = { limit, time: <TimeText at={resetsAt} as="full" /> };
  if (budget === 'sign_up') return ['say.email-budget.sign_up', values];
  const recipient = memberId === null ? 'say.email-budget.anonymous' : 'say.email-budget.member';
  const name = budget === 'sender' ? (`${recipient}.sender` as const) : recipient;
  return [name, { ...values, ...(memberId !== null && about(memberId)) }];
}

function describeMember(
  event: Of<'member.created' | 'member.updated' | 'member.deleted'>,
  t: Texts,
): Sentence {
  if (event.type === 'member.created') {
    const { member } = event.data;
    const name = isSelf(event, member.id) ? 'say.member.created.self' : 'say.member.created';
    return [name, { member: <MemberLink member={member} /> }];
  }
  const self = isSelf(event, event.data.memberId);
  if (event.type === 'member.deleted') return [self ? 'say.member.deleted.self' : 'say.member.deleted', {}];
  return [
    self ? 'say.member.updated.self' : 'say.member.updated',
    { ...about(event.data.memberId), fields: fieldsOf(event.data.changes, t) },
  ];
}

function describeGroup(
  event: Of<'access-group.created' | 'access-group.updated' | 'access-group.deleted'>,
  t: Texts,
): Sentence {
  switch (event.type) {
    case 'access-group.created':
      return [
        'say.access-group.created',
        { group: <GroupReference id={event.data.group.id} name={event.data.group.name} /> },
      ];
    case 'access-group.updated':
      return [
        'say.access-group.updated',
        { group: <GroupReference id={event.data.groupId} />, fields: fieldsOf(event.data.changes, t) },
      ];
    case 'access-group.deleted':
      return ['say.access-group.deleted', { group: <Name>{event.data.name}</Name> }];
  }
}

function describeMembership({
  type,
  data,
}: Of<
  'access-group.member.added' | 'access-group.member.removed' | 'access-group.member.expired'
>): Sentence {
  const values = { ...about(data.memberId), group: <GroupReference id={data.groupId} /> };
  if (type !== 'access-group.member.added' || !data.expiresAt) return [`say.${type}`, values];
  return ['say.access-group.member.added.until', { ...values, time: <EndText at={data.expiresAt} /> }];
}

function describeEnd({ data }: Of<'access-group.member.updated'>): Sentence {
  const values = { ...about(data.memberId), group: <GroupReference id={data.groupId} /> };
  const end = data.changes[0]?.to;
  if (typeof end !== 'string') return ['say.access-group.member.updated.forever', values];
  return ['say.access-group.member.updated', { ...values, time: <EndText at={end} /> }];
}

function describeKey(event: Of<'api-key.created' | 'api-key.rotated' | 'api-key.revoked'>): Sentence {
  switch (event.type) {
    case 'api-key.created':
      return ['say.api-key.created', { key: <Name>{event.data.name}</Name> }];
    case 'api-key.rotated':
      return [
        'say.api-key.rotated',
        {
          key: <KeyReference id={event.data.keyId} />,
          time: <EndText at={event.data.expiresAt} />,
        },
      ];
    case 'api-key.revoked':
      return ['say.api-key.revoked', { key: <KeyReference id={event.data.keyId} /> }];
  }
}

function describeOperator(
  event: Of<'operator.invited' | 'operator.updated' | 'operator.removed' | 'operator.login'>,
  t: Texts,
): Sentence {
  switch (event.type) {
    case 'operator.invited': {
      const { id, displayName, email, role } = event.data.operator;
      // The first owner is not invited, but uses the setup link that the first start prints.
      if (event.actor.id === id) return ['say.operator.first', {}];
      const name = displayName ?? email;
      const operator = name === null ? <OperatorReference id={id} /> : <Name>{name}</Name>;
      return ['say.operator.invited', { operator, role: valueText(t, 'role', role) }];
    }
    case 'operator.login':
      return ['say.operator.login', {}];
    case 'operator.updated':
      return describeOperatorUpdate(event, t);
    case 'operator.removed':
      return ['say.operator.removed', { operator: <OperatorReference id={event.data.operatorId} /> }];
  }
}

function describeOperatorUpdate({ data }: Of<'operator.updated'>, t: Texts): Sentence {
  const { field, from, to } = data.changes[0] ?? { field: 'role', from: null, to: null };
  const [before, after] = [valueText(t, field, from), valueText(t, field, to)];
  if (field === 'displayName')
    return ['say.operator.renamed', { before: <Name>{before}</Name>, name: <Name>{after}</Name> }];
  if (field === 'passkeys') return ['say.operator.passkeys', { before, count: after }];
  return ['say.operator.updated', { operator: <OperatorReference id={data.operatorId} />, role: after }];
}

function describeLogin(
  event: Of<'member.login' | 'login-link.created' | 'session.revoked' | 'session.evicted'>,
  t: Texts,
): Sentence {
  const values = about(event.data.memberId);
  switch (event.type) {
    case 'member.login': {
      const name = `say.member.login.${event.data.method}`;
      return t.has(name) ? [name, values] : describeAny(event, t);
    }
    case 'login-link.created': {
      if (isSelf(event, event.data.memberId)) return ['say.login-link.created.self', values];
      return [event.data.sent ? 'say.login-link.created.sent' : 'say.login-link.created.given', values];
    }
    case 'session.evicted':
      return ['say.session.evicted', { ...values, count: event.data.sessionIds.length }];
    case 'session.revoked': {
      if (event.data.sessionIds.length === 0) return ['say.session.revoked.no_session', values];
      const name = `say.session.revoked.${event.data.reason}`;
      return t.has(name) ? [name, { ...values, count: event.data.sessionIds.length }] : describeAny(event, t);
    }
  }
}

function describeAccessToken(event: Of<'access-token.created' | 'access-token.deleted'>, t: Texts): Sentence {
  const values = about(event.data.memberId);
  if (event.type === 'access-token.created')
    return ['say.access-token.created', { ...values, name: <Name>{event.data.token.name}</Name> }];
  const name = `say.access-token.deleted.${event.data.reason}`;
  return t.has(name) ? [name, { ...values, count: event.data.tokenIds.length }] : describeAny(event, t);
}

function describeSite(event: Of<'site.created' | 'site.updated'>, t: Texts): Sentence {
  if (event.type === 'site.created')
    return ['say.site.created', { site: <Name>{event.data.site.title}</Name> }];
  const { changes, sessionsEnded } = event.data;
  const values = { fields: fieldsOf(changes, t) };
  if (!sessionsEnded) return ['say.site.updated', values];
  return ['say.site.updated.logged_out', { ...values, count: sessionsEnded }];
}

function describeRules({ data }: Of<'access-rules.updated'>): Sentence {
  const paths = data.changes.map(({ path }) => path);
  return ['say.access-rules.updated', { count: paths.length, paths: <Name>{shortList(paths)}</Name> }];
}

/** For webhooks, and event types that this version does not know. */
function describeAny({ type, data }: Pick<Event, 'type' | 'data'>, t: Texts): Sentence {
  const what = eventTypeText(t, type);
  return 'host' in data ? ['say.webhook', { what, host: <Name>{data.host}</Name> }] : ['say.any', { what }];
}

function about(memberId: string) {
  return { member: <MemberReference id={memberId} /> };
}

function isSelf({ actor }: Pick<Event, 'actor'>, memberId: string): boolean {
  return actor.type === 'member' && actor.id === memberId;
}

const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

function fieldsOf(changes: readonly Change[], t: Texts): string {
  return lists.format(changes.map(({ field }) => fieldText(t, field)));
}

function shortList(paths: readonly string[]): string {
  return `${paths.slice(0, maxPaths).join(', ')}${paths.length > maxPaths ? ', …' : ''}`;
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
