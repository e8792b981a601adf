import type { DeliveryObject, Event, EventObject, Permission } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';
import { findAccessGroupIdsAndNames } from '../../domain/access-groups/access-groups.ts';
import { findEventsAt } from '../../domain/events/events.ts';
import { lookUpMembersById } from '../../domain/members/member-lookup.ts';
import { findSourceNames } from '../../domain/sources/source/sources.ts';
import type { StoredDelivery } from '../../domain/webhooks/deliveries/delivery.ts';
import type { SiteData } from '../../storage/site-view.ts';

interface Reader extends SiteData {
  readonly permissions: readonly Permission[];
}

/** What a caller needs to read the name of an object. */
const readPermissions: Readonly<Record<EventObject, Permission>> = {
  member: 'members:read',
  access_group: 'access-groups:read',
  source: 'sources:read',
  webhook: 'webhooks:read',
  invitation: 'invitations:read',
  join_request: 'join-requests:read',
  page_code: 'site:read',
  login_provider: 'site:read',
  api_key: 'api-keys:read',
  operator: 'operators:read',
  signing_key: 'site:read',
  site: 'site:read',
};

/** The fields with the id of an object in the data of events, and with the object itself, the most telling one first. */
const fields: readonly (readonly [idField: string, objectField: string, type: EventObject])[] = [
  ['memberId', 'member', 'member'],
  ['groupId', 'group', 'access_group'],
  ['sourceId', 'source', 'source'],
  ['webhookId', 'webhook', 'webhook'],
  ['invitationId', 'invitation', 'invitation'],
  ['joinRequestId', 'joinRequest', 'join_request'],
  ['pageCodeId', 'pageCode', 'page_code'],
  ['providerId', 'provider', 'login_provider'],
  ['keyId', 'key', 'api_key'],
  ['operatorId', 'operator', 'operator'],
  ['signingKeyId', 'signingKey', 'signing_key'],
  ['siteId', 'site', 'site'],
];

/** What the events of deliveries are about, by the position of the event; nothing for a caller who may not read events. */
export async function findDeliveryObjects(
  view: Reader,
  deliveries: readonly StoredDelivery[],
): Promise<Map<number, DeliveryObject>> {
  if (!grants(view.permissions, 'events:read')) return new Map();
  const positions = deliveries.flatMap(({ position }) => position ?? []);
  const events = await findEventsAt(view, [...new Set(positions)]);
  const objects = events.flatMap(({ position, event }) => {
    const object = objectOf(event);
    return object ? [{ position, object }] : [];
  });
  const names = await findNames(
    view,
    objects.map(({ object }) => object),
  );
  return new Map(
    objects.map(({ position, object }) => [
      position,
      { ...object, name: mayRead(view, object.type) ? (names.get(object.id) ?? object.name) : null },
    ]),
  );
}

function mayRead({ permissions }: Reader, type: EventObject): boolean {
  return grants(permissions, readPermissions[type]);
}

/** What an event is about, with its name if the event has it. */
export function objectOf(event: Event): DeliveryObject | undefined {
  const data: Record<string, unknown> = { ...event.data };
  for (const [idField, objectField, type] of fields) {
    const object = data[objectField] as Record<string, unknown> | undefined;
    const id = data[idField] ?? object?.id;
    if (typeof id === 'string') return { type, id, name: type === 'member' ? null : nameIn(object ?? data) };
  }
  return undefined;
}

function nameIn({ name, label, title, host, displayName, email }: Record<string, unknown>): string | null {
  const named = [name, label, title, host, displayName, email].find((value) => typeof value === 'string');
  return (named as string | undefined) ?? null;
}

/** The present names of the objects that the caller may read, by their ids. */
async function findNames(view: Reader, objects: readonly DeliveryObject[]): Promise<Map<string, string>> {
  const idsOf = (type: EventObject) => {
    const ids = objects.filter((object) => object.type === type).map(({ id }) => id);
    return mayRead(view, type) ? [...new Set(ids)] : [];
  };
  const [members, groups, sources] = await Promise.all([
    lookUpMembersById(view, idsOf('member')),
    findAccessGroupIdsAndNames(view, idsOf('access_group')),
    findSourceNames(view, idsOf('source')),
  ]);
  return new Map([
    ...members.map(({ id, displayName, email }) => [id, displayName ?? email] as const),
    ...[...groups, ...sources].map(({ id, name }) => [id, name] as const),
  ]);
}
