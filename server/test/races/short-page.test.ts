import { expect, test } from 'vitest';
import { listMembers } from '../../src/domain/members/members.ts';
import type { Queries } from '../../src/storage/database.ts';
import { forEachStoreVersion } from '../stores.ts';
import { useTestServer } from '../use-server.ts';

forEachStoreVersion((store) => {
  const server = useTestServer(store);

  test('a member deleted while a page is built does not end the list', async () => {
    const site = await server.createSite();
    const members = Array.from({ length: 9 }, (_, index) => ({ email: `${index}@example.com` }));
    const { body } = await site.post('/members/bulk', { members });
    const ids: string[] = body.data.map(({ member }: { member: { id: string } }) => member.id).toReversed();

    // A page can take several statements: after the first of them the second member is deleted.
    let statements = 0;
    const db: Queries = {
      ...server.database,
      all: async (statement) => {
        const rows = await server.database.all(statement);
        statements += 1;
        if (statements === 1) await site.delete(`/members/${ids[1]}`);
        return rows as never;
      },
    };
    const query = { status: 'active', sort: 'createdAt', order: 'desc', limit: 3 } as const;
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await listMembers(
        { db, siteId: site.siteId, now: new Date().toISOString() },
        { ...query, ...(after && { after }) },
      );
      seen.push(...page.data.map(({ id }) => id));
      if (!page.pagination.hasMore) break;
      after = page.pagination.nextCursor!;
    }
    expect(seen.filter((id) => id !== ids[1])).toEqual(ids.toSpliced(1, 1));
  });
});
