import { expect, test } from 'vitest';
import { blockReader } from './block-reader.ts';

test('blocks are read however their text is divided', () => {
  const text =
    'retry: 2000\r\nid: 1\r\n\r\n: comment\n\nid: 2\nevent: a\ndata: {"b":":\u2028"}\n\nid:3\rdata\r\r\n';
  const whole = blockReader()(text);
  expect(whole).toEqual([{ id: '1' }, { id: '2', data: '{"b":":\u2028"}' }, { id: '3', data: '' }]);
  for (let size = 1; size < text.length; size += 1) {
    const read = blockReader();
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
    expect(parts.flatMap((part) => read(part))).toEqual(whole);
  }
});
