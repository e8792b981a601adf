import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventTypes } from '../src/events/events.ts';

/** Names that the API has other words for. */
const others = new Map([
  ['state', 'status'],
  ['kind', 'type'],
  ['colour', 'color'],
  ['ending', 'last4'],
  ['feed', 'acceptsTokenInUrl'],
  ['leavers', 'onLeave'],
  ['clientAddress', 'ipAddress'],
]);

/** The names of all properties and parameters below a value of an OpenAPI document, not those in examples. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, in: place, name } = value as { properties?: object; in?: string; name?: string };
  const own = [...Object.keys(properties), ...(place !== undefined && name !== undefined ? [name] : [])];
  const below = Object.entries(value).filter(([key]) => !['example', 'examples'].includes(key));
  return [...own, ...below.flatMap(([, each]) => namesIn(each))];
}

test.each(['openapi.json', 'dashboard-openapi.json'])('%s has one word for each thing', (file) => {
  const document = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  const names = new Set(namesIn(document));
  expect(names.size).toBeGreaterThan(30);
  expect([...names].filter((name) => others.has(name)).map((name) => [name, others.get(name)])).toEqual([]);
});

test('an event type is the hyphenated name of a thing and what happened to it', () => {
  const things =
    'member|access-group|access-group\\.member|api-key|signing-key|operator|source|webhook|site|invitation|join-request|page-code|login-provider';
  const further =
    'host-claim|login-link|session|access-token|member\\.passkey|member\\.identity|access-rules|email-budget';
  const form = new RegExp(`^(?:${things}|${further})\\.[a-z]+(?:-[a-z]+)*$`);
  expect(eventTypes.filter((type) => !form.test(type))).toEqual([]);
});
