import { expect, test } from 'vitest';
import { forEachStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';

const scripts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "';alert(1)//",
  '{{7*7}}',
  '#{7*7}',
  '<!--',
  ']]>',
  '&lt;',
];
const sqlish = [
  "' OR 1=1 --",
  "'; DROP TABLE members; --",
  '" OR ""="',
  'NULL',
  '1;SELECT 1',
  'a%',
  '_',
  '\\',
  "\\'",
  '$1',
  ':a',
  '?',
];
const searches = [
  '"',
  '""',
  '"a" AND "b"',
  'NEAR(a b)',
  'a*',
  '^a',
  '-a',
  'a:b',
  '(a',
  'a OR b',
  'search_text:a',
  '{a b}:c',
  '+a',
];
const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '=cmd|a', '\tA', "'=1"];
const words = [
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '0',
  '-0',
  '1e400',
  '[object Object]',
  'constructor',
  '__proto__',
  'toString',
];
const unicode = [
  'é',
  'e\u0301',
  'ẞ',
  'ß',
  'İ',
  'ı',
  'ΑΣ',
  'ﬀ',
  'Ⅷ',
  '😀',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '\u200bzero',
  '\ufeffbom',
  'Z̸a̶l̷g̵o̴',
  '日本語',
  'العربية',
  'עברית',
  'ไทย',
  '𝔘𝔫𝔦',
  '\u00a0space\u00a0',
  '\u2003wide',
  '\ud83d\ude00'.repeat(50),
  '｡',
  '／',
];
const paths = [
  '../../etc/passwd',
  '..\\..\\a',
  '/',
  '//',
  'C:\\',
  'file:///a',
  '%2e%2e%2f',
  '%00',
  'a\u0000b',
  'a\r\nSet-Cookie: a=b',
  '\u001b[31mred',
  '\u0007',
];
const lengths = [
  'a'.repeat(100),
  'a'.repeat(200),
  'a'.repeat(500),
  '字'.repeat(100),
  ' '.repeat(50),
  'a b '.repeat(40),
];
const naughty = [...scripts, ...sqlish, ...searches, ...formulas, ...words, ...unicode, ...paths, ...lengths];

forEachStore((store) => {
  const server = useTestServer(store);

  test.each(naughty)(
    '%j is accepted as plain text or rejected, and found by a search for itself',
    async (text) => {
      const site = await server.createSite();
      const member = await site.post('/members', { email: 'ada@example.com', displayName: text });
      const group = await site.post('/access-groups', { name: text, description: text.slice(0, 500) });
      const trimmed = text.trim();
      expect(member.status).toBe(trimmed === '' || isName(trimmed, 200) ? 201 : 400);
      expect(group.status).toBe(isName(trimmed.normalize('NFC'), 100) ? 201 : 400);
      if (member.status === 201) expect(member.body.data.displayName).toBe(trimmed || null);
      if (group.status === 201) {
        expect(group.body.data.name).toBe(trimmed.normalize('NFC'));
        expect(group.body.data.description).toBe(text.slice(0, 500));
      }
      for (const [list, made] of [
        ['/members', member],
        ['/access-groups', group],
      ] as const) {
        const found = await site.get(`${list}?q=${encodeURIComponent(trimmed)}`);
        expect(found.status).toBe(isName(trimmed, 200) ? 200 : 400);
        if (found.status === 200) expect(found.body.data, list).toHaveLength(made.status === 201 ? 1 : 0);
      }
      const bulk = await site.post('/members/bulk', { members: [{ email: text, displayName: text }] });
      expect(bulk.status).toBe(207);
      expect(bulk.body.data[0]).toMatchObject({ email: text, status: 'error' });
      for (const answer of [member, group, bulk]) expect(answer.headers.get('set-cookie')).toBeNull();
    },
  );
});

/** On one line, and neither empty nor too long. */
function isName(text: string, maximum: number): boolean {
  return text !== '' && [...text].length <= maximum && !/\p{Cc}/u.test(text);
}
