import { expect, test } from 'vitest';
import { blockReader } from './change-stream.ts';

test('blocks are read from parts of any size, also those that only say where the stream is', () => {
  const changes = { types: ['member.created'], memberIds: ['m'] };
  const text = `retry: 2000\nid: a\n\nid: b\ndata: ${JSON.stringify(changes)}\n\nid: b\n: the connection is open\n\n`;
  const expected = [
    { id: 'a', changes: undefined },
    { id: 'b', changes },
    { id: 'b', changes: undefined },
  ];
  for (const size of [1, 3, 17, text.length]) {
    const read = blockReader();
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
    expect(parts.flatMap((part) => read(part))).toEqual(expected);
  }
});
