import type { Change, ErasedEventData, Event, EventType } from '@gatehouse/client';
import type { ReactNode } from 'react';
import type { TextAreas } from '../../languages/areas.ts';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { TimeText } from '../time-text.tsx';
import {
  ActorReference,
  GroupReference,
  KeyReference,
  MemberLink,
  MemberReference,
  Name,
  OperatorReference,
} from './references.tsx';

type Texts = ReturnType<typeof useTexts<'events'>>;
/** The name of a text, and what is put into it. */
type Sentence = [name: keyof TextAreas['events'] & string, values: Record<string, ReactNode>];

const mostPaths = 3;

/** What happened, as a sentence with links to whom and what it speaks of. */
export function EventSentence({ event }: { event: Event }) {
  const t = useTexts('events');
  const [name, values] = toSentence(event, t);
  return t.rich(name, { actor: <ActorReference actor={event.actor} />, ...values });
}

/** What an action did to many, as a sentence; `event` is one of those that it made happen. */
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
  // Of those who were deleted since, nothing is left that says what was changed.
  return t.rich(
    t.has(name) && !(type === 'member.updated' && values.fields === null) ? name : 'many.any',
    values,
  );
}

/** The name of a type of event; the type itself for one that is newer than this page. */
export function eventTypeText(t: Texts, type: string): string {
  const name = `type.${type}`;
  return t.has(name) ? t(name) : type;
}

/** The name of a field; the field itself for one that is newer than this page. */
export function fieldText(t: Texts, field: string): string {
  const name = `field.${field}`;
  return t.has(name) ? t(name) : field;
}

/** An event whose data is still there. */
type Told = {
  [Type in EventType]: Omit<Event<Type>, 'data'> & { data: Exclude<Event<Type>['data'], ErasedEventData> };
}[EventType];
type Of<Type extends EventType> = Extract<Told, { type: Type }>;

function toSentence(event: Event, t: Texts): Sentence {
  const { type, data } = event;
  if ('erased' in data) return ['say.erased', { what: eventTypeText(t, type), ...about(data.memberId) }];
  return say(event as Told, t);
}

function say(event: Told, t: Texts): Sentence {
  switch (event.type) {
    case 'member.created':
    case 'member.updated':
    case 'member.deleted':
      return sayMember(event, t);
    case 'member.blocked':
    case 'member.unblocked':
      return [`say.${event.type}`, about(event.data.memberId)];
    case 'access-group.created':
    case 'access-group.updated':
    case 'access-group.deleted':
      return sayGroup(event, t);
    case 'access-group.member.added':
    case 'access-group.member.removed':
    case 'access-group.member.expired':
      return sayMembership(event);
    case 'access-group.member.updated':
      return sayEnd(event);
    case 'key.created':
    case 'key.rotated':
    case 'key.revoked':
      return sayKey(event);
    case 'operator.invited':
    case 'operator.updated':
    case 'operator.removed':
    case 'operator.login':
      return sayOperator(event, t);
    case 'member.login':
    case 'login-link.created':
    case 'session.revoked':
      return sayLogin(event, t);
    case 'site.created':
      return ['say.site.created', { site: <Name>{event.data.site.title}</Name> }];
    case 'site.updated':
      return ['say.site.updated', { fields: fieldsOf(event.data.changes, t) }];
    case 'access-rules.updated':
      return sayRules(event);
    case 'email-budget.exhausted':
      return sayLimit(event);
    default:
      return sayAny(event, t);
  }
}

function sayLimit({ data: { budget, limit, memberId, resetsAt } }: Of<'email-budget.exhausted'>): Sentence {
  const values = { limit, time: <TimeText at={resetsAt} as="full" /> };
  if (budget === 'sign_up') return ['say.email-budget.sign_up', values];
  const whom = memberId === null ? 'say.email-budget.somebody' : 'say.email-budget.member';
  const name = budget === 'sender' ? (`${whom}.sender` as const) : whom;
  return [name, { ...values, ...(memberId !== null && about(memberId)) }];
}

function sayMember(event: Of<'member.created' | 'member.updated' | 'member.deleted'>, t: Texts): Sentence {
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

function sayGroup(
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

function sayMembership({
  type,
  data,
}: Of<
  'access-group.member.added' | 'access-group.member.removed' | 'access-group.member.expired'
>): Sentence {
  const values = { ...about(data.memberId), group: <GroupReference id={data.groupId} /> };
  if (type !== 'access-group.member.added' || !data.expiresAt) return [`say.${type}`, values];
  return [
    'say.access-group.member.added.until',
    { ...values, time: <TimeText at={data.expiresAt} as="date" /> },
  ];
}

function sayEnd({ data }: Of<'access-group.member.updated'>): Sentence {
  const values = { ...about(data.memberId), group: <GroupReference id={data.groupId} /> };
  const end = data.changes[0]?.to;
  if (typeof end !== 'string') return ['say.access-group.member.updated.forever', values];
  return ['say.access-group.member.updated', { ...values, time: <TimeText at={end} as="date" /> }];
}

function sayKey(event: Of<'key.created' | 'key.rotated' | 'key.revoked'>): Sentence {
  switch (event.type) {
    case 'key.created':
      return ['say.key.created', { key: <Name>{event.data.name}</Name> }];
    case 'key.rotated':
      return [
        'say.key.rotated',
        {
          key: <KeyReference id={event.data.keyId} />,
          time: <TimeText at={event.data.validUntil} as="date" />,
        },
      ];
    case 'key.revoked':
      return ['say.key.revoked', { key: <KeyReference id={event.data.keyId} /> }];
  }
}

function sayOperator(
  event: Of<'operator.invited' | 'operator.updated' | 'operator.removed' | 'operator.login'>,
  t: Texts,
): Sentence {
  switch (event.type) {
    case 'operator.invited': {
      const { id, displayName, email, role } = event.data.operator;
      // Nobody invites the first owner, who comes with the link that the first start prints.
      if (event.actor.id === id) return ['say.operator.first', {}];
      const name = displayName ?? email;
      const operator = name === null ? <OperatorReference id={id} /> : <Name>{name}</Name>;
      return ['say.operator.invited', { operator, role: valueText(t, 'role', role) }];
    }
    case 'operator.login':
      return ['say.operator.login', {}];
    case 'operator.updated':
      return sayOperatorUpdate(event, t);
    case 'operator.removed':
      return ['say.operator.removed', { operator: <OperatorReference id={event.data.operatorId} /> }];
  }
}

function sayOperatorUpdate({ data }: Of<'operator.updated'>, t: Texts): Sentence {
  const { field, from, to } = data.changes[0] ?? { field: 'role', from: null, to: null };
  const [before, after] = [valueText(t, field, from), valueText(t, field, to)];
  if (field === 'displayName')
    return ['say.operator.renamed', { before: <Name>{before}</Name>, name: <Name>{after}</Name> }];
  if (field === 'passkeys') return ['say.operator.passkeys', { before, count: after }];
  return ['say.operator.updated', { operator: <OperatorReference id={data.operatorId} />, role: after }];
}

function sayLogin(event: Of<'member.login' | 'login-link.created' | 'session.revoked'>, t: Texts): Sentence {
  const values = about(event.data.memberId);
  switch (event.type) {
    case 'member.login': {
      const name = `say.member.login.${event.data.method}`;
      return t.has(name) ? [name, values] : sayAny(event, t);
    }
    case 'login-link.created': {
      if (isSelf(event, event.data.memberId)) return ['say.login-link.created.self', values];
      return [event.data.sent ? 'say.login-link.created.sent' : 'say.login-link.created.given', values];
    }
    case 'session.revoked': {
      const name = `say.session.revoked.${event.data.reason}`;
      return t.has(name) ? [name, { ...values, count: event.data.sessionIds.length }] : sayAny(event, t);
    }
  }
}

function sayRules({ data }: Of<'access-rules.updated'>): Sentence {
  const paths = data.changes.map(({ path }) => path);
  return ['say.access-rules.updated', { count: paths.length, paths: <Name>{shortList(paths)}</Name> }];
}

/** For what is newer than this page. */
function sayAny({ type }: Pick<Event, 'type'>, t: Texts): Sentence {
  return ['say.any', { what: eventTypeText(t, type) }];
}

function about(memberId: string) {
  return { member: <MemberReference id={memberId} /> };
}

function isSelf({ actor }: Pick<Event, 'actor'>, memberId: string): boolean {
  return actor.type === 'member' && actor.id === memberId;
}

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

function fieldsOf(changes: readonly Change[], t: Texts): string {
  return lists.format(changes.map(({ field }) => fieldText(t, field)));
}

function shortList(paths: readonly string[]): string {
  return `${paths.slice(0, mostPaths).join(', ')}${paths.length > mostPaths ? ', …' : ''}`;
}

/** A value of a changed field, as people say it. */
export function valueText(t: Texts, field: string, value: string | boolean | null): string {
  if (field === 'expiresAt' && value === null) return t('noEnd');
  if (value === null || value === '') return t('nothing');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (field === 'expiresAt') return days.format(new Date(value));
  if (field === 'signUpDomains') return domainsIn(value);
  const name = `${field}.${value}`;
  return t.has(name) ? t(name) : value;
}

/** The names in a list of domains, as an event has it; the list as it is where it is none. */
function domainsIn(value: string): string {
  try {
    const domains: { domain: string }[] = JSON.parse(value);
    return domains.map(({ domain }) => domain).join(', ') || '–';
  } catch {
    return value;
  }
}
