import type { Webhook, WebhookDelivery } from '@gatehouse/client';

const soonMilliseconds = 60_000;

/** When a waiting attempt is made; null if that is now, or not known. While a webhook fails, all wait for its next attempt. */
export function attemptTime(
  { dueAt }: Pick<WebhookDelivery, 'dueAt'>,
  { nextAttemptAt }: Pick<Webhook, 'nextAttemptAt'>,
  now: number,
): string | null {
  const times = [dueAt, nextAttemptAt].filter((at) => at !== null).sort();
  const last = times.at(-1);
  return last !== undefined && Date.parse(last) - now >= soonMilliseconds ? last : null;
}

/** When the attempt after a failed one is made; null if that time has passed, and with it the attempt. */
export function comingTime(nextAttemptAt: string | null, now: number): string | null {
  return nextAttemptAt !== null && Date.parse(nextAttemptAt) > now ? nextAttemptAt : null;
}
