import type { Webhook } from '@gatehouse/client';

/** What a webhook is called: its description, or else its host. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description || hostOf(url);
}

export function hostOf(url: string): string {
  return new URL(url).host;
}
