import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aMember, everyItem } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { emailTo, Visitor } from '../../../test/visitor.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const list = async (site: TestSite, request: string, others = ''): Promise<string[]> =>
    (await everyItem(site, `/members?createdByRequest=${request}${others}`)).map(({ email }) => email);
  const create = async (site: TestSite, request: string, names: readonly string[]) => {
    const members = names.map((name) => ({ email: `${name}@example.com`, displayName: name }));
    const answer = await site.post('/members/bulk', { members }, { 'x-request-id': request });
    expectResponse('bulkCreateMembers', answer, 207);
  };

  describe('the members that an import created', () => {
    const request = randomUUID();
    let site: TestSite;

    beforeAll(async () => {
      site = await server.createSite();
      await aMember(site, { email: 'ada@example.com' });
      await create(site, request, ['ada', 'grace', 'dorothy']);
      await create(site, randomUUID(), ['mary']);
      await create(site, request, ['katherine', 'grace']);
      await aMember(site, { email: 'annie@example.com', paid: true }, { 'x-request-id': request });
    });

    test('are listed, and neither those that existed nor those of other requests', async () => {
      const created = ['annie', 'katherine', 'dorothy', 'grace'].map((name) => `${name}@example.com`);
      expect(await list(site, request)).toEqual(created);
      expect(await list(site, request.toUpperCase(), '&order=asc')).toEqual(created.toReversed());
      expect(await list(site, randomUUID())).toEqual([]);
    });

    test('can be searched, filtered and sorted like all others', async () => {
      expect(await list(site, request, '&q=TH')).toEqual(['katherine@example.com', 'dorothy@example.com']);
      expect(await list(site, request, '&paid=true')).toEqual(['annie@example.com']);
      expect(await list(site, request, '&q=th&paid=true')).toEqual([]);
      expect(await list(site, request, '&email=grace@example.com')).toEqual(['grace@example.com']);
      expect(await list(site, request, '&email=mary@example.com')).toEqual([]);
      expect(await list(site, request, '&sort=email&order=asc')).toEqual([
        'annie@example.com',
        'dorothy@example.com',
        'grace@example.com',
        'katherine@example.com',
      ]);
      expect(await list(site, request, '&sort=displayName&order=desc&verified=false')).toEqual([
        'katherine@example.com',
        'grace@example.com',
        'dorothy@example.com',
        'annie@example.com',
      ]);
    });

    test.each(['createdAt', 'displayName'])('are listed page by page, sorted by %s', async (sort) => {
      const whole = await list(site, request, `&sort=${sort}`);
      for (const limit of [1, 2, 3]) {
        const seen: string[] = [];
        for (let after = ''; ; ) {
          const path = `/members?createdByRequest=${request}&sort=${sort}&limit=${limit}${after}`;
          const { data, pagination } = expectResponse('listMembers', await site.get(path), 200);
          seen.push(...data.map(({ email }: { email: string }) => email));
          if (!pagination.hasMore) break;
          after = `&after=${pagination.nextCursor}`;
        }
        expect(seen).toEqual(whole);
      }
    });

    test('are listed for as long as they exist, also when their events have been purged', async () => {
      const own = await server.createSite();
      await create(own, request, ['ada', 'grace']);
      await server.database.run(sql`DELETE FROM events WHERE site_id = ${own.siteId}`);
      expect(await list(own, request)).toEqual(['grace@example.com', 'ada@example.com']);
      const [grace] = (await own.get('/members?email=grace@example.com')).body.data;
      await own.patch(`/members/${grace.id}`, { email: 'hopper@example.com' });
      expect(await list(own, request)).toEqual(['hopper@example.com', 'ada@example.com']);
      await own.delete(`/members/${grace.id}`);
      expect(await list(own, request)).toEqual(['ada@example.com']);
    });
  });

  test('a request with the same id at another site shows nothing here', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const request = randomUUID();
    await create(other, request, ['ada']);
    expect(await list(site, request)).toEqual([]);
    await create(site, request, ['grace']);
    expect(await list(site, request)).toEqual(['grace@example.com']);
    expect(await list(other, request)).toEqual(['ada@example.com']);
  });

  test('a visitor who signs up with the id of an import is not among its members', async () => {
    const site = await server.createSite();
    await site.patch('/site', { signUp: { policy: 'open', domains: [] } });
    const request = randomUUID();
    await create(site, request, ['ada']);
    const email = `eve-${randomUUID()}@example.org`;
    const visitor = new Visitor(site);
    await visitor.requestLink(email);
    const { path } = await emailTo(server, email);
    expect((await visitor.post(path, {}, { 'x-request-id': request })).status).toBe(303);
    const created = await everyItem(site, `/events?type=member.created&requestId=${request}`);
    expect(created).toHaveLength(2);
    expect(await list(site, request)).toEqual(['ada@example.com']);
  });

  test('an id that is none is rejected', async () => {
    const site = await server.createSite();
    for (const id of ['', 'import', `${randomUUID()}0`]) {
      const answer = await site.get(`/members?createdByRequest=${id}`);
      expectResponse('listMembers', answer, 400, 'invalid_request');
    }
  });
});
