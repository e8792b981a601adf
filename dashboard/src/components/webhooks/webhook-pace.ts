import type { Webhook, WebhookDelivery } from '@gatehouse/client';

const soonMilliseconds = 1_000;
export const idleMilliseconds = 10_000;
/** How long after the last step of its percentage a replay counts as moving. */
const movingMilliseconds = 3_000;

/** When attempts that wait are looked at again; false if none waits. */
export function untilSent(deliveries: readonly WebhookDelivery[]): number | false {
  const waiting = deliveries.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) return false;
  return waiting.some(isSoon) ? soonMilliseconds : idleMilliseconds;
}

/** While a receiver fails, attempts wait for hours after they were due. */
function isSoon({ dueAt }: WebhookDelivery): boolean {
  return dueAt !== null && Math.abs(Date.parse(dueAt) - Date.now()) < idleMilliseconds;
}

/** Returns the function that says when a webhook is looked at again: soon only while the percentage of a replay moves. */
export function replayPace(): (replay: Webhook['replay']) => number {
  let percent: number | undefined;
  let movedAt = 0;
  return (replay) => {
    if (replay?.percent !== percent) movedAt = Date.now();
    percent = replay?.percent;
    return replay && Date.now() - movedAt < movingMilliseconds ? soonMilliseconds : idleMilliseconds;
  };
}
