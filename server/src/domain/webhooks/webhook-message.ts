import type { Event, EventIds, WebhookContent, WebhookMessageType } from '@gatehouse/contract';
import { timeOfId } from '../../base/ids.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { findFeedEvent } from '../events/event-feed.ts';
import type { DeliveredMessage } from './deliveries/delivery.ts';
import type { StoredWebhook } from './webhook.ts';

/** The type of the message of a test. */
export const testMessageType = 'webhook.test' satisfies WebhookMessageType;

/** The body of the message of an event, as JSON. */
export function eventMessage(siteId: string, event: Event, content: WebhookContent): string {
  const { id, type, occurredAt, version, actor, requestId, data } = event;
  const isFull = content === 'full';
  return JSON.stringify({
    id,
    type,
    timestamp: occurredAt,
    siteId,
    version,
    content,
    actor: isFull ? actor : { ...actor, name: null },
    requestId,
    data: isFull ? data : idsOf(data),
  });
}

/** The body of a message, as JSON; null if the event is no longer stored. */
export async function findMessage(
  view: SiteData,
  { content }: Pick<StoredWebhook, 'content'>,
  { messageId, position }: DeliveredMessage,
): Promise<string | null> {
  const { siteId } = view;
  if (position === null) return testMessage(siteId, messageId);
  const found = await findFeedEvent(view, position);
  return found ? eventMessage(siteId, found.event, content) : null;
}

function testMessage(siteId: string, messageId: string): string {
  const timestamp = timeOfId(messageId);
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
