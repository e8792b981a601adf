import type { Member } from '@gatehouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aMember, everyItem } from '../../../test/contract/given.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const local64 = 'l'.repeat(64);
const label63 = 'd'.repeat(63);
/** 64 before the `@`, and 254 in total. */
const maximum = `${local64}@${label63}.${label63}.${'d'.repeat(61)}`;

/** With this many letters after the ü, the ASCII form of the address has 254 characters; with one more, 255. */
const converted = (letters: number) => `${local64}@${label63}.${label63}.ü${'d'.repeat(letters)}`;

const accepted: [string, string][] = [
  ['ada@example.com', 'ada@example.com'],
  ['ADA@EXAMPLE.COM', 'ada@example.com'],
  ['  Ada@Example.com\t\n', 'ada@example.com'],
  ['\u00a0ada@example.com\u3000', 'ada@example.com'],
  ["Ada.O'Neil+news@example.com", "ada.o'neil+news@example.com"],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['.a..b.@example.com', '.a..b.@example.com'],
  ['ada@localhost', 'ada@localhost'],
  ['ada@xn--BCHER-kva.example', 'ada@xn--bcher-kva.example'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@ＥＸＡＭＰＬＥ．ＣＯＭ', 'ada@example.com'],
  [maximum, maximum],
  [maximum.toUpperCase(), maximum],
  [converted(53), `${local64}@${label63}.${label63}.xn--${'d'.repeat(53)}-lqf`],
];

const refused = [
  '',
  '   ',
  'ada',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'a@b@example.com',
  'ada@example..com',
  'ada@.example.com',
  'ada@example.com.',
  'ada@-example.com',
  'ada@example-.com',
  'ada@exa_mple.com',
  'ada@example.com:25',
  'ada@[127.0.0.1]',
  'ada lovelace@example.com',
  'ada@exam ple.com',
  'ada@example.com,eve@example.com',
  'ada@example.com, eve@example.com',
  'ada@example.com;eve@example.com',
  'ada@example.com eve@example.com',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  '"ada"@example.com',
  'ada(comment)@example.com',
  'mailto:ada@example.com?cc=eve@example.com',
  'ada@example.com\nBcc: eve@example.com',
  'ada\r\n@example.com',
  'ada\u0000@example.com',
  'ada@example.com\u0000',
  'ada@example.com%00',
  'ada@exam%70le.com',
  'mıke@example.com',
  'mike\u0307@example.com',
  'ада@example.com',
  '\u212aelly@example.com',
  'ﬁona@example.com',
  'ａda@example.com',
  'ada@exam\u00adple.com',
  'ada@exam\u200bple.com',
  'ada@\u202eexample.com',
  'ada@bücher/example',
  `l${local64}@example.com`,
  `ada@${label63}d.example`,
  `${maximum}d`,
  converted(54),
  `ada@${'ü'.repeat(60)}.example`,
  'x'.repeat(999),
];

forEachStore((store) => {
  const server = useTestServer(store);

  test.each(accepted)('%j is stored as %j', async (written, stored) => {
    const site = await server.createSite();
    const member = await aMember(site, { email: written });
    expect(member.email).toBe(stored);
    // Normalizing a normalized address changes nothing.
    const again = await site.patch(`/members/${member.id}`, { email: member.email });
    expect(expectResponse('updateMember', again, 200).data).toEqual(member);
  });

  test('every spelling of an address finds its member, and cannot be used again', async () => {
    for (const [written, stored] of accepted) {
      const site = await server.createSite();
      const member = await aMember(site, { email: stored });
      const found = await everyItem(site, `/members?email=${encodeURIComponent(written)}`);
      expect(
        found.map(({ id }) => id),
        written,
      ).toEqual([member.id]);
      expectResponse('createMember', await site.post('/members', { email: written }), 409, 'email_taken');
    }
  });

  test('an address that only looks like another is a different one', async () => {
    const site = await server.createSite();
    for (const email of [
      'mike@example.com',
      'm1ke@example.com',
      'mike@example.co',
      'mike+a@example.com',
      'mi.ke@example.com',
    ]) {
      expect((await aMember(site, { email })).email).toBe(email);
    }
  });
});

// An address is checked before the store is used.
forOneStore((store) => {
  const server = useTestServer(store);

  describe('invalid email addresses', () => {
    let site: TestSite;
    let member: Member;
    beforeAll(async () => {
      site = await server.createSite();
      member = await aMember(site);
    });

    test.each(refused)('%j', async (written) => {
      const created = await site.post('/members', { email: written });
      const error = expectResponse('createMember', created, 400, 'invalid_request');
      expect(error.details[0].path).toBe('/email');

      const bulk = await site.post('/members/bulk', { members: [{ email: written }] });
      const { data } = expectResponse('bulkCreateMembers', bulk, 207);
      expect(data).toEqual([
        { email: written, status: 'error', error: { code: 'invalid_email', message: expect.any(String) } },
      ]);

      const changed = await site.patch(`/members/${member.id}`, { email: written });
      expectResponse('updateMember', changed, 400, 'invalid_request');
      const searched = await site.get(`/members?email=${encodeURIComponent(written)}`);
      expectResponse('listMembers', searched, 400, 'invalid_request');
      expect(await everyItem(site, '/members')).toEqual([expect.objectContaining({ id: member.id })]);
    });
  });

  test('an address is a string, not a list of them', async () => {
    const site = await server.createSite();
    for (const email of [['ada@example.com'], { to: 'ada@example.com' }, 1, true, null]) {
      expectResponse('createMember', await site.post('/members', { email }), 400, 'invalid_request');
      const bulk = { members: [{ email }] };
      expectResponse('bulkCreateMembers', await site.post('/members/bulk', bulk), 400, 'invalid_request');
    }
  });

  test('an address that is too long is rejected without parsing', async () => {
    const site = await server.createSite();
    const email = `${' '.repeat(1_000)}ada@example.com`;
    expectResponse('createMember', await site.post('/members', { email }), 400, 'invalid_request');
  });
});
