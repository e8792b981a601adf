import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook as Svix } from 'svix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/webhook-receiver.ts';
import { testNetworks } from '../../../test/workspace-settings.ts';
import { systemClock } from '../../base/clock.ts';
import type { Timers } from '../../base/timers.ts';
import type { OutgoingMessage } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { OutgoingHttp, type OutgoingSurroundings } from '../outgoing/outgoing-http.ts';
import { sendMessage } from './send-message.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const previous = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const body = '{"test": 2432232314}';

/** The sample of the guide. */
function pythonOfGuide(): string {
  const guide = readFileSync(new URL('../../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
  return /```python\n([\s\S]*?)```/.exec(guide)![1]!;
}

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

async function send(
  values: Partial<OutgoingMessage> = {},
  { clock = systemClock, ...surroundings }: OutgoingSurroundings & { clock?: () => Date } = {},
) {
  const http = new OutgoingHttp({ allowedNetworks: testNetworks, allowsHttp: true }, surroundings);
  const message = { url: receiver.url, id: 'msg_1', body, secrets: [secret], ...values };
  const { signal } = new AbortController();
  return sendMessage(http, message, clock, signal).finally(() => http.close());
}

const lastHeaders = () => receiver.messages.at(-1)!.headers as Record<string, string>;

describe('the signature', () => {
  test('is that of the test vector of Standard Webhooks', async () => {
    const clock = () => new Date(1_614_265_330_000);
    const result = await send({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek' }, { clock });
    expect(result).toMatchObject({ status: 204, error: null, startedAt: '2021-02-25T15:02:10.000Z' });
    expect(lastHeaders()).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is accepted by the library of Svix, with the new and with the previous secret', async () => {
    await send({ secrets: [secret, previous] });
    for (const each of [secret, previous]) {
      new Svix(each).verify(body, lastHeaders());
      expect(() => new Svix(each).verify(`${body} `, lastHeaders())).toThrow();
    }
  });

  test('is accepted by the twelve lines of Python of the guide', async () => {
    await send({ secrets: [previous, secret] });
    const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-webhook-'));
    try {
      writeFileSync(path.join(folder, 'verify.py'), pythonOfGuide());
      const check = (text: string, headers: Record<string, string>) =>
        execFileSync(
          'python3',
          [
            '-c',
            'import json, sys, verify; a = json.load(sys.stdin); print(verify.verify(a["body"].encode(), a["headers"], a["secret"]))',
          ],
          { cwd: folder, input: JSON.stringify({ body: text, headers, secret }), encoding: 'utf8' },
        ).trim();
      const headers = lastHeaders();
      expect(check(body, headers)).toBe('True');
      expect(check(`${body} `, headers)).toBe('False');
      expect(check(body, { ...headers, 'webhook-timestamp': '1614265330' })).toBe('False');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('an address that is not public', () => {
  test('is not connected to, also if the name led to a public one before', async () => {
    const answers = [['203.0.113.7'], ['10.0.0.1'], ['127.0.0.1', '169.254.169.254']];
    const http = new OutgoingHttp(
      { allowedNetworks: [], allowsHttp: true },
      { resolve: async () => answers.shift()! },
    );
    const url = receiver.url.replace('127.0.0.1', 'rebinding.example.org');
    const before = receiver.messages.length;
    const message = { url, id: 'msg_1', body, secrets: [secret] };
    answers.shift(); // The attempt before led to a public address.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { error } = await sendMessage(http, message, systemClock, new AbortController().signal);
      expect(error).toMatchObject({ code: 'address_not_allowed' });
    }
    expect(receiver.messages.length).toBe(before);
    await http.close();
  });

  test.each(['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://169.254.169.254', 'http://10.0.0.1'])(
    '%s is refused by the guard of all outgoing requests',
    async (url) => {
      const http = new OutgoingHttp({ allowedNetworks: [], allowsHttp: true });
      const message = { url, id: 'msg_1', body, secrets: [secret] };
      const { error, status } = await sendMessage(http, message, systemClock, new AbortController().signal);
      expect([status, error!.code]).toEqual([null, 'address_not_allowed']);
      await http.close();
    },
  );
});

test('a response that does not end is a failure with its status', async () => {
  receiver.respond = (response) => {
    response.writeHead(200);
    response.write('beginning');
  };
  const timers: Timers = {
    after(_, work) {
      const timer = setTimeout(work, 200);
      return () => clearTimeout(timer);
    },
  };
  const result = await send({}, { timers });
  receiver.respond = undefined;
  expect(result).toMatchObject({ status: 200, error: { code: 'timed_out' } });
});

test('what is stored of a response repeats no part of the URL that may be secret', async () => {
  receiver.respond = (response, { path: requested }) => {
    response.writeHead(404).end(`Cannot POST ${requested}, or ${decodeURIComponent(requested)}, of /hook/T0`);
  };
  const result = await send({ url: `${receiver.url}/T0/b1c2d3e4f5%2Fg6h7?key=i8j9k0l1m2n3` });
  receiver.respond = undefined;
  expect(result).toMatchObject({
    status: 404,
    responseBody: 'Cannot POST /hook/T0/…?key=…, or /hook/T0/…?key=…, of /hook/T0',
  });
});
