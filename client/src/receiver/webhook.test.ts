import { Webhook as Svix } from 'svix';
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest';
import { verifyWebhook, type WebhookMessage, WebhookVerificationFailed } from './webhook.ts';

/** The test vector of the libraries of Standard Webhooks. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"test": 2432232314}';
const time = 1_614_265_330;
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(time),
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

afterEach(() => {
  vi.useRealTimers();
});

function at(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1_000 });
}

test.each([
  ['as text with the headers of Node', body, headers],
  ['as bytes with the headers of the web', new TextEncoder().encode(body), new Headers(headers)],
  [
    'with headers in another case',
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
  ],
])('a message is verified %s', (_, text, given) => {
  at(time);
  expect(verifyWebhook(text, given, secret)).toEqual({ test: 2_432_232_314 });
});

test('one of several secrets, or of several signatures, is enough', () => {
  at(time);
  expect(verifyWebhook(body, headers, [other, secret])).toEqual({ test: 2_432_232_314 });
  const both = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}` };
  expect(verifyWebhook(body, both, secret)).toEqual({ test: 2_432_232_314 });
});

test.each([
  ['another body', `${body} `, headers, secret, time],
  ['another secret', body, headers, other, time],
  ['another id', body, { ...headers, 'webhook-id': 'msg_other' }, secret, time],
  ['another time', body, { ...headers, 'webhook-timestamp': String(time + 1) }, secret, time],
  ['no signature', body, { 'webhook-id': 'a', 'webhook-timestamp': String(time) }, secret, time],
  ['no headers', body, {}, secret, time],
  ['a message that is older than five minutes', body, headers, secret, time + 301],
  ['a message of the future', body, headers, secret, time - 301],
  ['no secret', body, headers, [], time],
])('%s is rejected', (_, text, given, secrets, now) => {
  at(now);
  expect(() => verifyWebhook(text, given, secrets)).toThrow(WebhookVerificationFailed);
});

test('a secret that was not copied whole is a mistake of the program', () => {
  expect(() => verifyWebhook(body, headers, '')).toThrow(TypeError);
});

test('the library of Svix signs in the same way', () => {
  const now = new Date();
  const signed = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Svix(secret).sign('msg_1', now, body),
  };
  expect(verifyWebhook(body, signed, secret)).toEqual({ test: 2_432_232_314 });
});

test('a message has the data of its type', () => {
  const read = (message: WebhookMessage) => {
    if (message.type === 'webhook.test') return 'test';
    if (message.content === 'ids') {
      expectTypeOf(message.data).toEqualTypeOf<Record<string, unknown>>();
      return 'ids';
    }
    if (message.type !== 'member.created' || 'erased' in message.data) return message.id;
    expectTypeOf(message.data.member.email).toEqualTypeOf<string>();
    return message.data.member.email;
  };
  expectTypeOf(read).returns.toEqualTypeOf<string>();
});
