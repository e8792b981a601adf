import { expect, test, vi } from 'vitest';
import { type ChangeBlock, readChanges } from './change-stream.ts';

test('blocks are read from parts of any size, also those that only say where the stream is', async () => {
  const changes = { types: ['member.created'], memberIds: ['é–m'] };
  const text = `retry: 2000\nid: a\n\nid: b\ndata: ${JSON.stringify(changes)}\n\nid: b\n: the connection is open\n\n`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 17, bytes.length]) {
    vi.stubGlobal('fetch', async () => new Response(inParts(bytes, size)));
    const blocks: ChangeBlock[] = [];
    const request = { siteId: 's', personId: 'p', after: undefined, signal: new AbortController().signal };
    await readChanges(request, (block) => blocks.push(block));
    expect(blocks).toEqual([
      { id: 'a', changes: undefined },
      { id: 'b', changes },
      { id: 'b', changes: undefined },
    ]);
  }
  vi.unstubAllGlobals();
});

function inParts(bytes: Uint8Array, size: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (let start = 0; start < bytes.length; start += size) {
        controller.enqueue(bytes.slice(start, start + size));
      }
      controller.close();
    },
  });
}
