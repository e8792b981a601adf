import type { WebhookDeliveryCounts } from '@gatehouse/client';

/** How many deliveries there were, and which part of them was accepted, in whole percent: 1 only if all were. */
export function successRate(days: WebhookDeliveryCounts['days']): { rate: number; count: number } {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded, 0);
  const count = days.reduce((sum, day) => sum + day.failed, succeeded);
  return { rate: count === 0 ? 0 : Math.floor((succeeded * 100) / count) / 100, count };
}
