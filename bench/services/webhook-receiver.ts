import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

// A thread that receives what is sent to webhooks, apart from the program that measures.

/** What has arrived since the last report. */
export interface ReceiverReport {
  readonly received: number;
  /** The types of the messages, and when the last one of each came, by `Date.now()`. */
  readonly latest: Readonly<Record<string, number>>;
}

const reportMilliseconds = 20;
let received = 0;
let latest: Record<string, number> = {};

const http = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  response.writeHead(204).end();
  received += 1;
  latest[JSON.parse(Buffer.concat(chunks).toString()).type] = Date.now();
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
parentPort!.postMessage(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
setInterval(() => {
  if (received === 0) return;
  parentPort!.postMessage({ received, latest } satisfies ReceiverReport);
  received = 0;
  latest = {};
}, reportMilliseconds);
