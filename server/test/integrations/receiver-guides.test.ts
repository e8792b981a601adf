import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aMember, aWebhook } from '../contract/given.ts';
import { freePort } from '../free-port.ts';
import { forOneStore } from '../stores.ts';
import { send, type TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { type ReceivedMessage, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

const guides = new URL('../../../docs/guides/', import.meta.url);
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const receivers = {
  Express: { guide: 'express.md', language: 'js', file: 'receiver.mjs', command: process.execPath },
  Python: { guide: 'python.md', language: 'python', file: 'receiver.py', command: 'python3' },
};

function programIn(guide: string, language: string): string {
  const text = readFileSync(new URL(guide, guides), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n((?:.*\\n)*?)^\`\`\`$`, 'gm'))];
  expect(blocks).toHaveLength(1);
  return blocks[0]![1]!;
}

test('the guides verify in the same way in Python', () => {
  const functions = ['webhooks.md', 'integrations/python.md'].map(
    (guide) => /^def verify[\s\S]*?for each in signatures\)$/m.exec(programIn(guide, 'python'))![0],
  );
  expect(functions[0]).toBe(functions[1]);
});

forOneStore((store) => {
  const server = useTestServer(store);

  describe.each(Object.entries(receivers))('the program of the guide for %s', (_, receiver) => {
    const { guide, language, file, command } = receiver;
    const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-receiver-'));
    let site: TestSite;
    let webhookId: string;
    let address: string;
    let program: ChildProcess;
    let between: WebhookReceiver;
    let output = '';

    beforeAll(async () => {
      writeFileSync(path.join(folder, file), programIn(`integrations/${guide}`, language));
      symlinkSync(modules, path.join(folder, 'node_modules'));
      const port = await freePort();
      address = `http://127.0.0.1:${port}/hooks/gatehouse`;
      between = await startWebhookReceiver();
      between.respond = async (response, message) => {
        const answer = await passOn(message).catch(() => undefined);
        if (answer) response.writeHead(answer.status).end(answer.text);
        else response.destroy();
      };
      site = await server.createSite();
      const { id, secret } = await aWebhook(site, { url: between.url });
      webhookId = id;
      program = spawn(command, [file], {
        cwd: folder,
        env: { PATH: process.env.PATH, GATEHOUSE_WEBHOOK_SECRET: secret, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      program.stdout!.on('data', (chunk) => {
        output += chunk;
      });
      await eventually(() => connectTo(port));
    });
    afterAll(async () => {
      program?.kill();
      await between?.stop();
      rmSync(folder, { recursive: true });
    });

    const passOn = ({ text, headers }: Pick<ReceivedMessage, 'text' | 'headers'>) => {
      const { host: _host, 'content-length': _length, ...others } = headers;
      return send(address, 'POST', { body: text, headers: others as Record<string, string> });
    };
    const timesHandled = (memberId: string) => output.split(memberId).length - 1;
    const handled = (memberId: string, times = 1) =>
      eventually(() => expect(timesHandled(memberId)).toBe(times));

    async function aMessage(): Promise<{ memberId: string; message: ReceivedMessage }> {
      const { id } = await aMember(site);
      await handled(id);
      const isIt = ({ body }: ReceivedMessage) =>
        body.type === 'member.created' && body.data.member.id === id;
      return { memberId: id, message: between.messages.find(isIt)! };
    }

    test('verifies and handles what Gatehouse sends, and it counts as delivered', async () => {
      const { message } = await aMessage();
      await eventually(async () => {
        const deliveries = await site.get(`/webhooks/${webhookId}/deliveries?messageId=${message.body.id}`);
        expect(deliveries.body.data).toMatchObject([{ status: 'succeeded', responseStatus: 204 }]);
      });
    });

    test('handles a message once, also if it comes again, or is replayed', async () => {
      const { memberId, message } = await aMessage();
      for (let count = 0; count < 3; count += 1) expect((await passOn(message)).status).toBe(204);
      await eventually(async () => {
        const query = `messageId=${message.body.id}&status=succeeded`;
        const [delivery] = (await site.get(`/webhooks/${webhookId}/deliveries?${query}`)).body.data;
        const path = `/webhooks/${webhookId}/deliveries/${delivery.id}/replay`;
        expect((await site.request('POST', path)).status).toBeLessThan(300);
      });
      await eventually(() => {
        const again = between.messages.filter(({ body }) => body.id === message.body.id);
        expect(again).toHaveLength(2);
      });
      await aMessage(); // Answered after it.
      expect(timesHandled(memberId)).toBe(1);
    });

    test('answers with 204 to types that it does not know', async () => {
      const { body } = await site.request('POST', `/webhooks/${webhookId}/test`);
      await eventually(async () => {
        const delivery = await site.get(`/webhooks/${webhookId}/deliveries/${body.data.id}`);
        expect(delivery.body.data).toMatchObject({ status: 'succeeded', responseStatus: 204 });
      });
    });

    const changes: [string, (message: ReceivedMessage) => Pick<ReceivedMessage, 'text' | 'headers'>][] = [
      [
        'another body',
        ({ text, headers }) => ({ text: text.replace('"paid":false', '"paid":true'), headers }),
      ],
      ['another id', ({ text, headers }) => ({ text, headers: { ...headers, 'webhook-id': 'msg_1' } })],
      [
        'a time that was not signed',
        ({ text, headers }) => ({
          text,
          headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
        }),
      ],
      [
        'an old time',
        ({ text, headers }) => ({ text, headers: { ...headers, 'webhook-timestamp': '1614265330' } }),
      ],
      ['no time', ({ text, headers }) => ({ text, headers: { ...headers, 'webhook-timestamp': '' } })],
      [
        'a signature of another form',
        ({ text, headers }) => ({ text, headers: { ...headers, 'webhook-signature': 'v1,\xe9' } }),
      ],
      ['no headers of a webhook', ({ text }) => ({ text, headers: { 'content-type': 'application/json' } })],
      ['no body', ({ headers }) => ({ text: '', headers })],
      ['a space more', ({ text, headers }) => ({ text: `${text} `, headers })],
    ];

    test.each(changes)('refuses a message with %s, with status 400', async (_, change) => {
      const { memberId, message } = await aMessage();
      const forged = change(message);
      expect(forged).not.toEqual({ text: message.text, headers: message.headers });
      expect((await passOn(forged)).status).toBe(400);
      expect((await passOn(message)).status).toBe(204);
      expect(timesHandled(memberId)).toBe(1);
    });

    test('accepts messages on the day after the secret was replaced', async () => {
      expect((await site.request('POST', `/webhooks/${webhookId}/rotate-secret`)).status).toBe(201);
      await aMessage();
    });

    test('is still running', () => {
      expect(program.exitCode).toBeNull();
    });
  });
});

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

async function connectTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
