import { expect, test } from 'vitest';
import { expectResponse } from '../contract/answers.ts';
import { forEachStore, forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';

const label63 = 'd'.repeat(63);

/** The address sent, and the stored form if it differs. */
const valid: (string | [string, string])[] = [
  'ada@example.com',
  ['Ada.Lovelace@Example.COM', 'ada.lovelace@example.com'],
  'ada+news@example.com',
  'ada-lovelace@example.com',
  'ada_lovelace@example.com',
  "o'neil@example.com",
  '1234567890@example.com',
  '_______@example.com',
  '-@example.com',
  '.dot@example.com',
  'dot.@example.com',
  'two..dots@example.com',
  '!@example.com',
  '#$%&*/=?^`{|}~@example.com',
  'a%00b@example.com',
  '#{7*7}@example.com',
  '{{7*7}}@example.com',
  'null@example.com',
  'constructor@example.com',
  'x@localhost',
  'x@a.b.c.d.e.f.g.example.com',
  'x@123.example',
  'x@127.0.0.1',
  'x@ex--ample.com',
  `x@${label63}.example`,
  [' trimmed@example.com ', 'trimmed@example.com'],
  ['\ttabbed@example.com\r\n', 'tabbed@example.com'],
  ['x@bücher.example', 'x@xn--bcher-kva.example'],
  ['x@例え.テスト', 'x@xn--r8jz45g.xn--zckzah'],
  ['x@правда.рф', 'x@xn--80aafi6cg.xn--p1ai'],
  ['x@ｆｕｌｌ.example', 'x@full.example'],
  `${'l'.repeat(64)}@example.com`,
  `${'l'.repeat(64)}@${label63}.${label63}.${'d'.repeat(61)}`,
];

const invalid = [
  '',
  ' ',
  '\n',
  '@',
  '@@',
  'ada',
  'ada@',
  '@example.com',
  'example.com',
  'ada.example.com',
  'null',
  '0',
  'a@b@example.com',
  'ada@@example.com',
  'ada@example@',
  'a"@"b@example.com',
  'ada@example.com@',
  'ada@.',
  'ada@..',
  'ada@.com',
  'ada@example.',
  'ada@example..com',
  'ada@.example.com',
  'ada@example.com.',
  'ada@-example.com',
  'ada@example-.com',
  'ada@example.-com',
  'ada@-',
  'ada@exa_mple.com',
  'ada@exa mple.com',
  'ada@example.com:25',
  'ada@example.com/x',
  'ada@example.com?x=1',
  'ada@example.com#x',
  'ada@example.com\\x',
  'ada@[127.0.0.1]',
  'ada@[IPv6:::1]',
  'ada@[]',
  'ada@%65xample.com',
  'ada@example%2ecom',
  'ada@exam%00ple.com',
  'ada lovelace@example.com',
  'ada @example.com',
  'ada@ example.com',
  'ada\t@example.com',
  'ada@example.com x',
  'a@example.com,b@example.com',
  'a@example.com, b@example.com',
  'a@example.com;b@example.com',
  'a@example.com b@example.com',
  'a@example.com\nb@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com%0abcc:b@example.com,',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  'mailto:ada@example.com',
  '"ada"@example.com',
  '"ada lovelace"@example.com',
  '"\\""@example.com',
  'ada(comment)@example.com',
  '(comment)ada@example.com',
  'ada@(comment)example.com',
  'ada@example.com(comment)',
  'ada\\@example.com',
  'a,b@example.com',
  'a;b@example.com',
  'a:b@example.com',
  'a<b@example.com',
  'a>b@example.com',
  'a[b@example.com',
  '<script>alert(1)</script>@example.com',
  'ada@<script>.com',
  'ada@example.com<br>',
  "ada@'or'1'='1.com",
  'ada\0@example.com',
  'ada@example.com\0',
  'ada@exa\0mple.com',
  '\u0007ada@example.com',
  'ada\u007f@example.com',
  'ada\u200b@example.com',
  'ada\u202e@example.com',
  'ada@example.com\u200b',
  'a\u00a0b@example.com',
  'mıke@example.com',
  '\u212aate@example.com',
  'jürgen@example.com',
  'ada@ex\u2044ample.com',
  '用户@example.com',
  '😀@example.com',
  'ada＠example.com',
  'ada@example.com\u2028x',
  'ada@exam\u00adple\u2100.com',
  'ada@example\u2024com\u2488',
  `${'l'.repeat(65)}@example.com`,
  `ada@${'d'.repeat(64)}.com`,
  `ada@${`${label63}.`.repeat(4)}com`,
  `${'l'.repeat(64)}@${label63}.${label63}.${'d'.repeat(62)}`,
  `ada@${'d.'.repeat(130)}com`,
  'a'.repeat(900),
  'ada@xn--a.',
  'ada@xn--.\u0430',
  'ada@\u0000',
  'ada@\u{1f600}%.com',
  'ada@example,com',
  'ada@example;com',
];

forEachStore((store) => {
  const server = useTestServer(store);

  test(`${valid.length} valid addresses are stored in normalized form, and found by it`, async () => {
    expect(valid.length).toBeGreaterThanOrEqual(30);
    const site = await server.createSite();
    const pairs = valid.map((each) => (typeof each === 'string' ? [each, each] : each) as [string, string]);
    const answer = await site.post('/members/bulk', { members: pairs.map(([email]) => ({ email })) });
    const { data } = expectResponse('bulkCreateMembers', answer, 207);
    expect(
      data.map(({ email, status, member }: { email: string; status: string; member?: { email: string } }) => [
        email,
        status,
        member?.email,
      ]),
    ).toEqual(pairs.map(([sent, stored]) => [sent, 'created', stored]));
    for (const [sent, stored] of pairs) {
      const found = await site.get(`/members?email=${encodeURIComponent(sent)}`);
      expect(
        found.body.data.map(({ email }: { email: string }) => email),
        sent,
      ).toEqual([stored]);
      const again = await site.post('/members', { email: stored });
      expectResponse('createMember', again, 409, 'email_taken');
    }
  });
});

// An address is checked before the store is used.
forOneStore((store) => {
  const server = useTestServer(store);

  test(`${invalid.length} invalid addresses are rejected wherever an address is accepted`, async () => {
    expect(new Set(invalid).size).toBe(invalid.length);
    expect(invalid.length).toBeGreaterThanOrEqual(80);
    const site = await server.createSite();
    const { id } = (await site.post('/members', { email: 'keeper@example.com' })).body.data;
    const bulk = await site.post('/members/bulk', { members: invalid.map((email) => ({ email })) });
    for (const item of expectResponse('bulkCreateMembers', bulk, 207).data) {
      expect([item.status, item.error?.code], JSON.stringify(item.email)).toEqual(['error', 'invalid_email']);
    }
    for (const email of invalid) {
      expectResponse('createMember', await site.post('/members', { email }), 400, 'invalid_request');
      expectResponse('updateMember', await site.patch(`/members/${id}`, { email }), 400, 'invalid_request');
    }
    const { data } = (await site.get('/members')).body;
    expect(data.map(({ email }: { email: string }) => email)).toEqual(['keeper@example.com']);
  });
});
