import type { OperationId } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectEveryHeader, expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aGroup, aMember, aMembership } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

interface Resource {
  readonly name: string;
  readonly get: OperationId;
  readonly update?: {
    readonly id: OperationId;
    readonly method?: 'PUT';
    readonly body: object;
    readonly other: object;
  };
  readonly delete?: OperationId;
  readonly make: (site: TestSite) => Promise<string>;
}

const resources: Resource[] = [
  {
    name: 'a member',
    get: 'getMember',
    update: { id: 'updateMember', body: { displayName: 'Ada' }, other: { displayName: 'Grace' } },
    delete: 'deleteMember',
    make: async (site) => `/members/${(await aMember(site)).id}`,
  },
  {
    name: 'an access group',
    get: 'getAccessGroup',
    update: { id: 'updateAccessGroup', body: { name: 'Course 2026' }, other: { name: 'Course 2027' } },
    delete: 'deleteAccessGroup',
    make: async (site) => `/access-groups/${(await aGroup(site)).id}`,
  },
  {
    name: 'a membership',
    get: 'getMembership',
    update: {
      id: 'updateMembership',
      body: { expiresAt: '2098-12-31T23:00:00.000Z' },
      // Differs from the initial end, so that either of two concurrent changes changes something.
      other: { expiresAt: '2097-12-31T23:00:00.000Z' },
    },
    delete: 'removeAccessGroupMember',
    make: async (site) => {
      const [group, member] = [await aGroup(site), await aMember(site)];
      await aMembership(site, group.id, member.id);
      return `/access-groups/${group.id}/members/${member.id}`;
    },
  },
  {
    name: 'the site',
    get: 'getSite',
    update: { id: 'updateSite', body: { title: 'Academy' }, other: { title: 'School' } },
    make: async () => '/site',
  },
  {
    name: 'the texts of emails in one language',
    get: 'getEmailTexts',
    update: {
      id: 'replaceEmailTexts',
      method: 'PUT',
      body: { greeting: 'Ahoi,', closing: null, welcome: null },
      other: { greeting: 'Moin,', closing: null, welcome: null },
    },
    make: async () => '/email-texts/de',
  },
  { name: 'the document of the API', get: 'getOpenApi', make: async () => '/openapi.json' },
];

forEachStore((store) => {
  const server = useTestServer(store);

  describe.each(resources)('$name', ({ get, update, delete: remove, make }) => {
    test('keeps its ETag while it is unchanged', async () => {
      const site = await server.createSite();
      const path = await make(site);
      const [first, second] = [await site.get(path), await site.get(path)];
      expectResponse(get, first, 200);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    });

    test('is not sent again to a client that has it', async () => {
      const site = await server.createSite();
      const path = await make(site);
      const etag = (await site.get(path)).headers.get('etag')!;
      for (const tags of [etag, `W/${etag}`, `"another", ${etag}`, `W/"x",W/${etag} , "y"`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await site.request(method, path, { headers: { 'if-none-match': tags } });
          expect(answer.status, tags).toBe(304);
          expect(answer.text).toBe('');
          expect(answer.headers.get('etag')).toBe(etag);
          expect(answer.headers.get('content-type')).toBeNull();
          expectEveryHeader(answer);
        }
      }
    });

    test('is sent to a client that has another version', async () => {
      const site = await server.createSite();
      const path = await make(site);
      const etag = (await site.get(path)).headers.get('etag')!;
      for (const tags of ['"another"', etag.slice(1, -1), etag.toUpperCase().replace(/.$/, '-"'), '']) {
        expectResponse(get, await site.get(path, { 'if-none-match': tags }), 200);
      }
    });

    if (update) {
      const change = (site: TestSite, path: string, body: object, headers = {}) =>
        site.request(update.method ?? 'PATCH', path, { body, headers });

      test('has a new ETag after a change, which the change returns', async () => {
        const site = await server.createSite();
        const path = await make(site);
        const before = (await site.get(path)).headers.get('etag')!;
        const changed = await change(site, path, update.body);
        expectResponse(update.id, changed, 200);
        expect(changed.headers.get('etag')).not.toBe(before);
        const after = await site.get(path, { 'if-none-match': before });
        expectResponse(get, after, 200);
        expect(after.headers.get('etag')).toBe(changed.headers.get('etag'));
      });

      test('is changed only if it is the version that the caller has', async () => {
        const site = await server.createSite();
        const path = await make(site);
        const seen = (await site.get(path)).headers.get('etag')!;
        const mine = await change(site, path, update.body, { 'if-match': seen });
        expectResponse(update.id, mine, 200);

        const before = await dumpSite(server.database, site.siteId);
        for (const stale of [seen, '"another"', `W/${mine.headers.get('etag')}`, '']) {
          const late = await change(site, path, update.other, { 'if-match': stale });
          expectResponse(update.id, late, 412, 'precondition_failed');
        }
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);

        const current = mine.headers.get('etag')!;
        const listed = await change(site, path, update.other, { 'if-match': `"another", ${current}` });
        expectResponse(update.id, listed, 200);
        expectResponse(update.id, await change(site, path, update.body, { 'if-match': '*' }), 200);
      });

      test('keeps its ETag when a change changes nothing', async () => {
        const site = await server.createSite();
        const path = await make(site);
        const first = await change(site, path, update.body);
        const again = await change(site, path, update.body);
        expectResponse(update.id, again, 200);
        expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      });

      test('of two concurrent changes of the same version one is rejected', async () => {
        const site = await server.createSite();
        const path = await make(site);
        const seen = (await site.get(path)).headers.get('etag')!;
        const answers = await Promise.all(
          [update.body, update.other].map((body) => change(site, path, body, { 'if-match': seen })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      });
    }

    if (remove) {
      test('is deleted only if it is the version that the caller has', async () => {
        const site = await server.createSite();
        const path = await make(site);
        const etag = (await site.get(path)).headers.get('etag')!;
        const before = await dumpSite(server.database, site.siteId);
        for (const stale of ['"another"', `W/${etag}`]) {
          const rejected = await site.delete(path, { 'if-match': stale });
          expectResponse(remove, rejected, 412, 'precondition_failed');
        }
        expect(await dumpSite(server.database, site.siteId)).toEqual(before);
        expectResponse(remove, await site.delete(path, { 'if-match': etag }), 204);
        expectResponse(get, await site.get(path, { 'if-none-match': etag }), 404);
      });

      test('that was deleted is not found, whatever If-Match says', async () => {
        const site = await server.createSite();
        const path = await make(site);
        const etag = (await site.get(path)).headers.get('etag')!;
        await site.delete(path);
        expectResponse(remove, await site.delete(path, { 'if-match': etag }), 404);
      });
    }
  });

  test('creating a resource returns the same ETag as reading it', async () => {
    const site = await server.createSite();
    for (const [path, body] of [
      ['/members', { email: 'ada@example.com', displayName: 'Ada', paid: true }],
      ['/access-groups', { name: 'Course', description: 'All of it' }],
      ['/sources', { type: 'program', name: 'List' }],
    ] as const) {
      const created = await site.post(path, body);
      const found = await site.get(`${path}/${created.body.data.id}`);
      expect(found.headers.get('etag')).toBe(created.headers.get('etag'));
      expect(found.text).toBe(created.text);
    }
  });

  test("a group's ETag depends on its members, and a member's on its groups", async () => {
    const site = await server.createSite();
    const [group, member] = [await aGroup(site), await aMember(site)];
    const paths = [`/access-groups/${group.id}`, `/members/${member.id}`];
    const tags = async () =>
      Promise.all(paths.map(async (path) => (await site.get(path)).headers.get('etag')));
    const before = await tags();
    await aMembership(site, group.id, member.id);
    const after = await tags();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });
});
