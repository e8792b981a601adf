import sql from 'sql-template-tag';
import { expect, test, vi } from 'vitest';
import { aMember, someMembers } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { findEndOfFeed } from '../events/event-feed.ts';
import { FeedReading } from './feed-reading.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  /** A site, and a reader of the members that are created there. */
  async function given(end?: number) {
    const site = await server.createSite();
    const { position } = await findEndOfFeed(server.database, site.siteId);
    const range = { position, ...(end !== undefined && { end: position + end }) };
    const feed = new FeedReading(
      server.database,
      site.siteId,
      range,
      ({ event }) => event.type === 'member.created',
    );
    const purge = () => server.database.run(sql`DELETE FROM events WHERE site_id = ${site.siteId}`);
    return { site, feed, position, purge };
  }

  test('the position is before the first event that has not ended, in whatever order they end', async () => {
    const { site, feed, position } = await given();
    await someMembers(site, 3);
    const events = [await feed.take(), await feed.take(), await feed.take()];
    expect(events.map((each) => each!.position)).toEqual([1, 2, 3].map((number) => position + number));
    expect(await feed.take()).toBeUndefined();
    const positions = [1, 0, 2].map((index) => {
      feed.settle(events[index]!.position);
      return feed.position - position;
    });
    expect(positions).toEqual([0, 2, 3]);
  });

  test('an event whose data was erased since it was read is read again after a second', async () => {
    const { site, feed } = await given();
    await aMember(site);
    const { id } = await aMember(site);
    expect(await feed.take()).toBeDefined();
    await site.delete(`/members/${id}`);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 1_001);
    const next = await feed.take().finally(() => clock.mockRestore());
    expect(next!.event.data).toEqual({ memberId: id, erased: true });
  });

  test('events that were purged before they were read leave nothing to wait for', async () => {
    const { site, feed, position, purge } = await given();
    await someMembers(site, 2);
    await purge();
    expect(await feed.take()).toBeUndefined();
    expect(feed.position).toBe(position + 2);
    const { id } = await aMember(site);
    expect((await feed.take())!.event.data).toMatchObject({ member: { id } });
  });

  test('a range is done at its end, also if its events were purged', async () => {
    const { site, feed, purge } = await given(2);
    await someMembers(site, 3);
    expect(await feed.take()).toBeDefined();
    expect(feed.isDone).toBe(false);
    const last = await feed.take();
    expect(await feed.take()).toBeUndefined();
    feed.settle(last!.position - 1);
    feed.settle(last!.position);
    expect(feed.isDone).toBe(true);
    const other = await given(2);
    await someMembers(other.site, 2);
    await other.purge();
    expect(await other.feed.take()).toBeUndefined();
    expect(other.feed.isDone).toBe(true);
    await purge();
  });
});
