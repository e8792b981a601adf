import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** What tests read in a message, of which each event has a part. */
export interface ReceivedBody {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly actor: { readonly name: string | null };
  readonly data: { readonly member: { readonly id: string; readonly email: string } };
}

/** A message that has arrived. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: ReceivedBody;
}

/** Receives what is sent to webhooks. */
export interface WebhookReceiver {
  readonly url: string;
  readonly messages: ReceivedMessage[];
  /** Requests that have not been answered, now and at most. */
  readonly open: { now: number; max: number };
  /** Answers the next messages in another way than with 204. */
  respond: ((response: ServerResponse, message: ReceivedMessage) => void) | undefined;
  /** Waits until so many messages have arrived, and returns them. */
  waitFor(count: number, milliseconds?: number): Promise<readonly ReceivedMessage[]>;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (request, response) => {
    receiver.open.now += 1;
    receiver.open.max = Math.max(receiver.open.max, receiver.open.now);
    response.once('close', () => {
      receiver.open.now -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const message = { path: request.url!, headers: request.headers, text, body: JSON.parse(text) };
    receiver.messages.push(message);
    if (receiver.respond) receiver.respond(response, message);
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages: [],
    open: { now: 0, max: 0 },
    respond: undefined,
    async waitFor(count, timeout = 20_000) {
      await vi.waitFor(
        () => {
          if (receiver.messages.length < count)
            throw new Error(`${receiver.messages.length} of ${count} messages have arrived.`);
        },
        { timeout, interval: 10 },
      );
      return receiver.messages;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
