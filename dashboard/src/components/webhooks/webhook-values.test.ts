import type { Webhook } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { newWebhookValues, toSettings, toValues, type WebhookSettings } from './webhook-values.ts';

const all: Required<WebhookSettings> = {
  url: 'https://shop.example.org/hook',
  description: 'Shop',
  eventTypes: null,
  groupIds: null,
  content: 'full',
  parallelism: 5,
};
const some: Required<WebhookSettings> = {
  ...all,
  eventTypes: ['member.blocked', 'member.created'],
  groupIds: ['a', 'b'],
  content: 'ids',
  parallelism: 1,
};

test.each([all, some])('settings that were not edited stay the same', (settings) => {
  expect(toSettings(toValues(settings as Webhook))).toEqual(settings);
});

test('types that were chosen before all types were chosen do not count, and spaces around texts neither', () => {
  const values = { ...newWebhookValues, url: ' https://shop.example.org/hook ', description: ' Shop ' };
  expect(toSettings({ ...values, eventTypes: ['member.created'] })).toEqual(all);
});

test('events in order are sent one at a time, whatever number was entered before', () => {
  expect(toSettings({ ...newWebhookValues, order: 'ordered', parallelism: 9 }).parallelism).toBe(1);
  expect(toSettings({ ...newWebhookValues, parallelism: 9 }).parallelism).toBe(9);
});
