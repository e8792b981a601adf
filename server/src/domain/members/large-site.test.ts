import { beforeAll, expect, test } from 'vitest';
import { forEachStore } from '../../../test/stores.ts';
import { startTestServer, type TestSite } from '../../../test/test-server.ts';

const founders = 1_200;
const members = 6_500;

/** More members match `founder` than are fetched in one query, and all of them are at the far end of the order. */
forEachStore((store) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await (await startTestServer(store)).createSite();
    for (let first = 0; first < members; first += 500) {
      const people = Array.from({ length: 500 }, (_, index) => {
        const number = first + index;
        const founder = number < founders;
        return {
          email: `${String(99_999 - number)}@example.com`,
          displayName: `${founder ? 'Zoe Founder' : 'Ann'} ${number}`,
          paid: founder,
        };
      });
      expect((await site.post('/members/bulk', { members: people })).body.summary.created).toBe(500);
    }
  });

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
  ])('paging through %s returns each match once', async (query) => {
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { status, body } = await site.get(`/members?${query}&limit=100${after}`);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ email }: { email: string }) => email));
      if (!body.pagination.hasMore) break;
      after = `&after=${body.pagination.nextCursor}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(founders);
  });
});
