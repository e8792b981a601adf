import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Draining } from '../shared/draining.ts';
import { createNodeServer } from './node-server.ts';

const chunkCount = 20_000;

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Sends the headers of a request behind one that gets no response. */
async function sendUnread(): Promise<{ request: IncomingMessage; client: Socket }> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const settings = { requestTimeoutSeconds: 15, draining: new Draining(), logger: pino({ level: 'silent' }) };
  const { server } = createNodeServer(() => {}, settings);
  server.on('request', (request) => request.method === 'POST' && resolve(request));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
  onTestFinished(() => {
    server.close();
    client.destroy();
  });
  client.write(
    'GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  return { request: await promise, client };
}

function partsOf(request: IncomingMessage): string[] {
  const parts: string[] = [];
  for (let part = request.read(); part !== null; part = request.read()) parts.push(String(part));
  return parts;
}

/** The number of objects in memory that carry the body. */
function waitingParts(request: IncomingMessage): number {
  return (request as unknown as { _readableState: { buffer: unknown[] } })._readableState.buffer.length;
}

test('small chunks that nobody reads wait in few parts', async () => {
  const digits = Array.from({ length: chunkCount }, (_, index) => String(index % 10));
  const { request, client } = await sendUnread();
  client.write(`${digits.map(chunk).join('')}0\r\n\r\n`);
  await expect.poll(() => request.complete).toBe(true);
  expect(request.readableLength).toBe(chunkCount);
  expect(waitingParts(request)).toBeLessThan(100);
  expect(partsOf(request).join('')).toBe(digits.join(''));
});

test('small chunks that nobody reads wait in few parts if each arrives alone', async () => {
  const { request, client } = await sendUnread();
  for (let sent = 0; sent < 3_000; sent += 1) {
    const { bytesRead } = request.socket;
    client.write(chunk('a'));
    while (request.socket.bytesRead === bytesRead) await new Promise(setImmediate);
  }
  expect(waitingParts(request)).toBeLessThan(10);
  client.write('0\r\n\r\n');
  await expect.poll(() => request.complete).toBe(true);
  expect(partsOf(request).join('')).toBe('a'.repeat(3_000));
});

test('small and large chunks stay in their order', async () => {
  const texts = ['a', 'b'.repeat(5_000), 'c', 'd', 'e'.repeat(3_000), 'f'.repeat(1_024), 'g'];
  const { request, client } = await sendUnread();
  client.write(`${texts.map(chunk).join('')}0\r\n\r\n`);
  await expect.poll(() => request.complete).toBe(true);
  expect(partsOf(request).join('')).toBe(texts.join(''));
});

test('a reader gets each chunk when it arrives, also after a pause', async () => {
  const { request, client } = await sendUnread();
  const received: string[] = [];
  request.setEncoding('utf8').on('data', (text) => received.push(text));
  for (const text of ['a', 'b', 'c']) {
    client.write(chunk(text));
    await expect.poll(() => received.at(-1)).toBe(text);
  }
  request.pause();
  for (const text of ['d', 'e', 'f']) {
    const { bytesRead } = request.socket;
    client.write(chunk(text));
    await expect.poll(() => request.socket.bytesRead).toBeGreaterThan(bytesRead);
  }
  expect(received.join('')).toBe('abc');
  request.resume();
  await expect.poll(() => received.join('')).toBe('abcdef');
  client.write(chunk('g'));
  await expect.poll(() => received.join('')).toBe('abcdefg');
});

test('a body that waited because nobody read it arrives completely', async () => {
  const { request, client } = await sendUnread();
  const body = Array.from({ length: 40_000 }, (_, index) => String(index));
  client.end(`${body.map(chunk).join('')}0\r\n\r\n`);
  await expect.poll(() => request.readableLength).toBeGreaterThanOrEqual(request.readableHighWaterMark);
  expect(request.complete).toBe(false);
  let received = '';
  for await (const part of request) received += part;
  expect(received).toBe(body.join(''));
});
