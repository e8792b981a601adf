import type { CreateWebhook, Webhook } from '@gatehouse/client';

/** The values of the form for the settings of a webhook. */
export interface WebhookValues {
  url: string;
  description: string;
  scope: 'all' | 'chosen';
  eventTypes: string[];
  groupIds: string[];
  content: string;
  order: 'parallel' | 'ordered';
  parallelism: number;
}

/** The settings that the form changes. */
export type WebhookSettings = Pick<
  CreateWebhook,
  'url' | 'description' | 'eventTypes' | 'groupIds' | 'content' | 'parallelism'
>;

/** The number of events at the same time, if it was not changed. */
const defaultParallelism = 5;

export const newWebhookValues: WebhookValues = {
  url: '',
  description: '',
  scope: 'all',
  eventTypes: [],
  groupIds: [],
  content: 'full',
  order: 'parallel',
  parallelism: defaultParallelism,
};

export function toValues({ url, description, content, ...webhook }: Webhook): WebhookValues {
  const isOrdered = webhook.parallelism === 1;
  return {
    url,
    description,
    content,
    scope: webhook.eventTypes ? 'chosen' : 'all',
    eventTypes: webhook.eventTypes ?? [],
    groupIds: webhook.groupIds ?? [],
    order: isOrdered ? 'ordered' : 'parallel',
    parallelism: isOrdered ? defaultParallelism : webhook.parallelism,
  };
}

/** The settings as the API takes and returns them. */
export function toSettings(values: WebhookValues): Required<WebhookSettings> {
  const { scope, eventTypes, groupIds, order, parallelism } = values;
  return {
    url: values.url.trim(),
    description: values.description.trim(),
    eventTypes: (scope === 'chosen' ? [...eventTypes].sort() : null) as CreateWebhook['eventTypes'] & {},
    groupIds: groupIds.length > 0 ? [...groupIds].sort() : null,
    content: values.content as CreateWebhook['content'] & {},
    parallelism: order === 'ordered' ? 1 : parallelism,
  };
}
