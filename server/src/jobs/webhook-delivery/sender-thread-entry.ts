import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { reportWarnings } from '../../base/warnings.ts';
import { OutgoingHttp } from '../../connectors/outgoing/outgoing-http.ts';
import { sendMessage } from '../../connectors/webhook-sender/send-message.ts';
import type { SendResult } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { faultOf, lowerPriority } from '../../runtime/threads/thread.ts';
import type { FromSenderThread, SenderThreadOptions, SendRequest, ToSenderThread } from './sender-thread.ts';

// The thread that a `SenderThread` starts.

reportWarnings(({ name, message }) => post({ log: { level: 'warn', message, facts: { warning: name } } }));
lowerPriority('work');
const port = parentPort!;
const { outgoing, certificateAuthority } = workerData as SenderThreadOptions;
const http = new OutgoingHttp(outgoing, certificateAuthority === undefined ? {} : { certificateAuthority });
const running = new Map<number, AbortController>();
/** While others are being sent, results wait this long for each other: each message between threads wakes the other one. */
const batchMilliseconds = 2;
let batch: { number: number; result: SendResult }[] = [];
let timer: NodeJS.Timeout | undefined;

port.on('message', (message: ToSenderThread) => {
  if ('send' in message) for (const request of message.send) void send(request);
  else if ('abort' in message) running.get(message.abort)?.abort();
  else void end();
});

async function send({ number, message }: SendRequest): Promise<void> {
  const aborting = new AbortController();
  running.set(number, aborting);
  try {
    const result = await sendMessage(http, message, systemClock, aborting.signal);
    batch.push({ number, result });
  } catch (error) {
    post({ failed: number, fault: faultOf(error) });
  } finally {
    running.delete(number);
  }
  if (running.size === 0) postBatch();
  else timer ??= setTimeout(postBatch, batchMilliseconds);
}

function postBatch(): void {
  clearTimeout(timer);
  timer = undefined;
  if (batch.length > 0) post({ sent: batch });
  batch = [];
}

async function end(): Promise<void> {
  for (const aborting of running.values()) aborting.abort();
  await http.close();
  port.close();
}

function post(message: FromSenderThread): void {
  parentPort!.postMessage(message);
}
