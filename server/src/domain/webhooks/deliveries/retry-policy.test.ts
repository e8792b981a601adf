import { expect, test } from 'vitest';
import { millisecondsBetween, timestampAfter } from '../../../base/clock.ts';
import type { Attempt } from './attempt.ts';
import type { SendResult } from './outgoing-message.ts';
import { decide, decideOnWebhook, type ReceiverHealth } from './retry-policy.ts';

const now = '2026-01-31T09:30:00.000Z';
const moment = { now, random: () => 0.5 };
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const healthy: ReceiverHealth = {
  failures: 0,
  maxFailures: 5,
  failingSince: null,
  retryAfterMilliseconds: 0,
  disable: null,
};
/** Of a run that begins while it is failing. */
const failing: ReceiverHealth = { ...healthy, failures: 5, maxFailures: Infinity, failingSince: now };

function anAttempt(number = 1, trigger: Attempt['message']['trigger'] = 'event'): Attempt {
  const message = { trigger, messageId: 'message', type: 'member.created', position: 1 };
  return { id: 'delivery', webhookId: 'webhook', message, number };
}

function aResult(status: number, retryAfter?: number): SendResult {
  const error = status < 300 ? null : { code: 'status', message: '' };
  return {
    startedAt: now,
    durationMilliseconds: 1,
    status,
    responseBody: null,
    error,
    retryAfter,
  } as SendResult;
}

/** The pause before the next attempt of a message; undefined if none follows. */
function pauseAfter(attempt: number, health = healthy, result = aResult(500)): number | undefined {
  const { message } = decide(anAttempt(attempt), result, health, moment);
  return message.next === 'retry' ? millisecondsBetween(now, message.dueAt) : undefined;
}

/** The pause before a receiver is tried again. */
function pauseOf(health: ReceiverHealth): number | undefined {
  const decision = decideOnWebhook(health, moment);
  return decision.next === 'block' ? millisecondsBetween(now, decision.until) : undefined;
}

test('a message is sent ten times at most, with longer and longer pauses', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1));
  const hours = [2, 5, 10, 14, 20, 24].map((each) => each * hour);
  expect(pauses).toEqual([5 * second, 5 * minute, 30 * minute, ...hours, undefined]);
  expect(decide(anAttempt(10), aResult(500), healthy, moment).message).toEqual({ next: 'give-up' });
});

test('a pause is a tenth shorter or longer, and never shorter than the receiver wants', () => {
  const pauseWith = (random: number) =>
    decide(anAttempt(), aResult(500), healthy, { now, random: () => random }).message;
  expect(pauseWith(0)).toMatchObject({ dueAt: timestampAfter(now, 4_500) });
  expect(pauseWith(1)).toMatchObject({ dueAt: timestampAfter(now, 5_500) });
  expect(pauseAfter(1, healthy, aResult(429, 60))).toBe(minute);
  expect(pauseAfter(1, healthy, aResult(429, 1))).toBe(5 * second);
  const { health } = decide(anAttempt(), aResult(503, 3_600), failing, moment);
  expect(pauseOf(health)).toBe(hour);
});

test('the fifth failure in a row blocks the webhook, and those of the same time count no more', () => {
  let health = healthy;
  const seen = Array.from({ length: 8 }, () => {
    health = decide(anAttempt(), aResult(500), health, moment).health;
    return [health.failures, decideOnWebhook(health, moment).next];
  });
  expect(seen.slice(0, 5)).toEqual([
    [1, 'continue'],
    [2, 'continue'],
    [3, 'continue'],
    [4, 'continue'],
    [5, 'block'],
  ]);
  expect(new Set(seen.slice(5).map(String))).toEqual(new Set(['5,block']));
});

test('a failing receiver is tried after longer pauses, at least every half hour, and gives up no message', () => {
  let health = failing;
  const pauses = Array.from({ length: 4 }, () => {
    const pause = pauseOf(health);
    health = decide(anAttempt(), aResult(500), health, moment).health;
    return pause;
  });
  expect(pauses).toEqual([5 * second, 5 * minute, 30 * minute, 30 * minute]);
  expect(decide(anAttempt(10), aResult(500), failing, moment).message).toMatchObject({
    next: 'retry',
    attempt: 10,
  });
});

test('the first success ends the failing, also that of a test, while a test that fails changes nothing', () => {
  for (const trigger of ['event', 'replay', 'test'] as const) {
    const decision = decide(anAttempt(1, trigger), aResult(204), failing, moment);
    expect(decision).toEqual({ message: { next: 'delivered' }, health: healthy, isRecovered: true });
    expect(decideOnWebhook(decision.health, moment)).toEqual({ next: 'continue' });
  }
  expect(decide(anAttempt(), aResult(204), healthy, moment).isRecovered).toBe(false);
  const failed = decide(anAttempt(1, 'test'), aResult(410), failing, moment);
  expect(failed).toEqual({ message: { next: 'give-up' }, health: failing, isRecovered: false });
});

test('status 410, and five days without a success, disable the webhook', () => {
  const after = (result: SendResult, health: ReceiverHealth) =>
    decideOnWebhook(decide(anAttempt(), result, health, moment).health, moment);
  expect(after(aResult(410), healthy)).toEqual({ next: 'disable', reason: 'gone' });
  const since = (milliseconds: number) => ({ ...failing, failingSince: timestampAfter(now, -milliseconds) });
  expect(after(aResult(500), since(5 * 24 * hour - 1)).next).toBe('block');
  expect(after(aResult(500), since(5 * 24 * hour))).toEqual({ next: 'disable', reason: 'failing' });
  expect(after(aResult(204), since(5 * 24 * hour)).next).toBe('continue');
});
