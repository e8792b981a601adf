import type { Event, EventIds, WebhookContent, WebhookMessageType } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';

/** The type of the message of a test. */
export const testMessageType = 'webhook.test' satisfies WebhookMessageType;

/** The body of the message of an event, as JSON. */
export function eventMessage(siteId: string, event: Event, content: WebhookContent): string {
  const { id, type, occurredAt, version, actor, requestId, data } = event;
  const isFull = content === 'full';
  return JSON.stringify({
    ...{ id, type, timestamp: occurredAt, siteId, version, content },
    actor: isFull ? actor : { ...actor, name: null },
    requestId,
    data: isFull ? data : idsOf(data),
  });
}

/** The body of a test, as JSON. */
export function testMessage(siteId: string, messageId: string, timestamp: Timestamp): string {
  return JSON.stringify({ id: messageId, type: testMessageType, timestamp, siteId, data: {} });
}

/** `{ member: { id, email } }` becomes `{ memberId }`. */
function idsOf(data: object): EventIds {
  const ids: Record<string, string | readonly string[] | null> = {};
  for (const [name, value] of Object.entries(data)) {
    if (/Ids?$/.test(name)) ids[name] = value;
    else if (typeof value?.id === 'string') ids[`${name}Id`] = value.id;
  }
  return ids;
}
