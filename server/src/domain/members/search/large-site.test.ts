import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { aGroup } from '../../../../test/contract/given.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../../../../test/test-server.ts';
import { inBatches } from '../../../storage/sql/batches.ts';
import { insertMemberships } from '../../memberships/membership-store.ts';

/** More than a search examines for one page, without the founders. */
const members = 9_500;
const founders = 1_200;
/** Those of the founders whose names have two more letters. */
const firstFounders = 30;
/** The founders and others were created by one import: more than SQLite fetches in one query. */
const imported = 4_500;
const importRequest = randomUUID();
/** When the memberships of the founders in the group of the imported members end. */
const foundersEnd = '2120-01-01T00:00:00.000Z';
/** The members after these have no name. */
const named = 7_000;

/** More members match `founder` than SQLite fetches in one query, and all of them are at the far end of the order. */
forEachStore((store) => {
  let server: TestServer;
  let site: TestSite;
  /** The groups of the founders, of those who were imported, and of every other member. */
  const groupIds = { founders: '', imported: '', others: '' };

  beforeAll(async () => {
    server = await startTestServer(store);
    site = await server.createSite();
    for (const name of ['founders', 'imported', 'others'] as const) {
      groupIds[name] = (await aGroup(site, { name })).id;
    }
    for (let first = 0; first < members; first += 500) {
      const people = Array.from({ length: 500 }, (_, index) => {
        const number = first + index;
        const founder = number < founders;
        return {
          email: `${String(99_999 - number)}@example.com`,
          displayName:
            number < named
              ? `${founder ? 'Zoe Founder' : 'Ann'} ${number}${number < firstFounders ? ' xq' : ''}`
              : null,
          paid: founder,
        };
      });
      const headers = first < imported ? { 'x-request-id': importRequest } : undefined;
      const { body } = await site.post('/members/bulk', { members: people }, headers);
      expect(body.summary.created).toBe(500);
    }
    await addMemberships();
  });

  /** Those in the group of the imported members end if they are of founders. */
  async function addMemberships(): Promise<void> {
    const rows = await server.database.all<{ id: string; paid: boolean; imported: boolean }>(sql`
      SELECT id, paid, created_by_request IS NOT NULL AND created_by_request = ${importRequest} AS imported FROM members
      WHERE site_id = ${site.siteId} ORDER BY id`);
    const common = { source: 'api', addedAt: '2026-01-01T00:00:00.000Z' } as const;
    const memberships = rows.flatMap(({ id: memberId, paid, imported }, index) => [
      ...(paid ? [{ ...common, groupId: groupIds.founders, memberId, expiresAt: null }] : []),
      ...(imported
        ? [{ ...common, groupId: groupIds.imported, memberId, expiresAt: paid ? foundersEnd : null }]
        : []),
      ...(index % 2 ? [{ ...common, groupId: groupIds.others, memberId, expiresAt: null }] : []),
    ]);
    await inBatches(memberships, (batch) =>
      server.database.transaction((db) => insertMemberships({ db, siteId: site.siteId }, batch)),
    );
  }

  /** The addresses on all pages of a list. */
  async function readAll(query: string): Promise<string[]> {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { status, body } = await site.get(`/members?${query}&limit=100${after}`);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ email }: { email: string }) => email));
      if (!body.pagination.hasMore) return seen;
      after = `&after=${body.pagination.nextCursor}`;
    }
  }

  test.each([
    'q=FOUNDER',
    'q=founder&sort=email&order=desc',
    'q=founder&sort=displayName&order=desc',
    'paid=true',
    'paid=true&sort=displayName&order=desc',
    'paid=true&sort=email&order=desc',
    'paid=true&q=founder&sort=updatedAt',
    'status=active&q=founder&sort=lastLoginAt&order=asc',
    'paid=true&q=oe&sort=displayName&order=desc',
    'q=oe',
    'q=oe&order=asc',
    'q=oe&sort=email&order=desc',
    'q=fo&paid=true&sort=lastLoginAt',
    'q=founder&order=asc',
    'q=example&paid=true',
    'q=example&paid=true&sort=email&order=desc',
  ])('paging through %s returns each match once', async (query) => {
    const seen = await readAll(query);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(founders);
  });

  test.each([
    'q=founder',
    'q=oe&order=asc',
    'paid=true',
    'paid=true&q=oe&sort=displayName&order=desc',
    'paid=true&sort=email&order=desc',
    'q=founder&status=active&sort=lastLoginAt',
  ])('among the members of an import, paging through %s returns each match once', async (query) => {
    const seen = await readAll(`createdByRequest=${importRequest}&${query}`);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(founders);
  });

  test.each(['', '&order=asc', '&sort=email&order=asc', '&sort=displayName'])(
    'the members of an import are listed%s',
    async (query) => {
      const seen = await readAll(`createdByRequest=${importRequest}${query}`);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(imported);
    },
  );

  test.each([
    'group=founders',
    'group=founders&order=asc',
    'group=founders&sort=email',
    'group=founders&sort=lastLoginAt&order=asc',
    'group=founders&q=oe&sort=displayName',
    'group=imported&paid=true',
    'group=imported&q=founder&sort=email&order=asc',
    'group=imported&ends=soon',
    'group=imported&ends=soon&sort=displayName',
    'ends=soon',
    'ends=soon&order=asc',
    'ends=soon&sort=updatedAt',
    'ends=soon&paid=true&sort=email',
  ])('by membership, paging through %s returns each match once', async (query) => {
    const seen = await readAll(byMembership(query));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(founders);
  });

  test.each(['', '&order=asc', '&sort=email', '&sort=lastLoginAt'])(
    'the members of a group are listed%s',
    async (query) => {
      const seen = await readAll(byMembership(`group=others${query}`));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(members / 2);
    },
  );

  const byMembership = (query: string) =>
    query
      .replace(/group=(\w+)/, (_, name: keyof typeof groupIds) => `groupId=${groupIds[name]}`)
      .replace('ends=soon', 'expiresBefore=2125-01-01T00:00:00Z');

  test('a search in an import of long ago does not pass the members of later ones', async () => {
    const { body } = await site.get(`/members?createdByRequest=${importRequest}&q=oe&limit=100`);
    expect(body.data).toHaveLength(100);
    const { body: others } = await site.get(`/members?createdByRequest=${importRequest}&paid=true&limit=100`);
    expect(others.data).toHaveLength(100);
  });

  test('a page that ends between the members with a name and those without repeats no match', async () => {
    const seen = await readAll('q=xq&sort=displayName&order=asc');
    expect(seen).toHaveLength(firstFounders);
    expect(new Set(seen).size).toBe(firstFounders);
  });

  test('a search that has examined many members ends with a short page, which names the next one', async () => {
    const { body } = await site.get('/members?q=oe&limit=100');
    expect(body.data).toEqual([]);
    expect(body.pagination).toEqual({ hasMore: true, nextCursor: expect.any(String) });
    const { body: next } = await site.get(`/members?q=oe&limit=100&after=${body.pagination.nextCursor}`);
    expect(next.data).toHaveLength(100);
  });

  test.runIf(store.dialect === 'sqlite')(
    'a search finds members in the order of creation after the clock was set back',
    async () => {
      const { database } = server;
      const inOrder = async () =>
        database.get(sql`
          SELECT member_numbers_in_order AS value FROM sites WHERE id IN (SELECT site_id FROM members)`);
      expect(await inOrder()).toEqual({ value: 1 });
      const email = 'late@example.com';
      expect((await site.post('/members', { email, displayName: 'Founder late' })).status).toBe(201);
      // As if the clock had shown 1970 when it was created.
      await database.transaction((tx) =>
        tx.run(sql`INSERT INTO members (site_id, id, email, search_text, status, paid, verified, created_at, updated_at)
          SELECT site_id, '00000000-0000-7000-8000-000000000000', 'early@example.com', 'founder early', status, paid,
            verified, '1970-01-01T00:00:00.000Z', updated_at FROM members WHERE email = ${email}`),
      );
      expect(await inOrder()).toEqual({ value: 0 });
      const ends = async (order: string) =>
        (await site.get(`/members?q=founder&order=${order}&limit=1`)).body.data[0].email;
      expect(await ends('asc')).toBe('early@example.com');
      expect(await ends('desc')).toBe(email);
    },
  );
});
