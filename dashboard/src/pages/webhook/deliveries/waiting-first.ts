import type { WebhookDelivery } from '@gatehouse/client';

/** Attempts with those that wait at the beginning; otherwise in the same order. */
export function waitingFirst<Attempt extends Pick<WebhookDelivery, 'status'>>(
  attempts: readonly Attempt[],
): Attempt[] {
  const waiting = attempts.filter(({ status }) => status === 'waiting');
  return [...waiting, ...attempts.filter(({ status }) => status !== 'waiting')];
}
