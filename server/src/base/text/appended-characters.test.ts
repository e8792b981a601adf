import { expect, test } from 'vitest';
import { withoutAppended } from './appended-characters.ts';

const texts = ['3q2-7wAAAA_-', 'grace@example.com', '/dashboard/club/webhooks', ''];

test.each([
  '',
  '.',
  ',',
  ')',
  '>',
  '/',
  '"',
  "'",
  ' ',
  '\n',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '”',
  '»',
  '。',
  '）',
  '…',
  '=',
  '&gt;',
  '&QUOT;',
  '&#39;',
  '%3E',
  '%3e',
  ').',
  '&gt;).',
  ' >"/,;',
  '%20%3E%29',
  '.'.repeat(10_000),
])('%j is removed from the end', (characters) => {
  for (const text of texts) expect(withoutAppended(text + characters)).toBe(text);
});

test.each(['a', '0', '-', '_', 'é', '字', 'gt;a', '.a', '%3Ea', '&gt', '%41', '>A', '😀'])(
  '%j belongs to the text',
  (characters) => {
    for (const text of texts) expect(withoutAppended(text + characters)).toBe(text + characters);
  },
);
