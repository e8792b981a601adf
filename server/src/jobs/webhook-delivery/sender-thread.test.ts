import { expect, onTestFinished, test } from 'vitest';
import { movableTime } from '../../../test/movable-time.ts';
import type { OutgoingMessage } from '../../domain/webhooks/deliveries/outgoing-message.ts';
import { SenderThread } from './sender-thread.ts';

/** A thread that sends nothing, and reports each message that reaches it. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ send = [], end }) => {
      for (const { number, message } of send) {
        parentPort.postMessage({ log: { level: 'info', message: message.id, facts: {} } });
        parentPort.postMessage({ sent: [{ number, result: {} }] });
      }
      if (end) parentPort.close();
    });`)}`,
);

test('a message that is aborted before it reaches the thread is not sent', async () => {
  const { timers } = movableTime();
  const sent: string[] = [];
  const outgoing = {} as ConstructorParameters<typeof SenderThread>[0]['outgoing'];
  const thread = new SenderThread({ outgoing }, (_, id) => sent.push(id), timers, entry);
  onTestFinished(() => thread.close());
  const send = (id: string, signal: AbortSignal) => thread.send({ id } as OutgoingMessage, signal);
  const aborting = new AbortController();
  const aborted = send('aborted', aborting.signal);
  aborting.abort(new Error('Gatehouse stops'));
  await expect(aborted).rejects.toThrow('Gatehouse stops');
  await send('other', new AbortController().signal);
  expect(sent).toEqual(['other']);
});
